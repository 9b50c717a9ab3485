// What is started, from the settings; apart from the editor's API so that tests can call it.

/** The program and arguments of the language server, or what is wrong with the setting. */
export function serverOptions(command) {
  if (!Array.isArray(command) || command.length === 0 || !command.every((word) => typeof word === "string")) {
    throw new Error('"forge.command" must be a list of words, such as ["fdforge", "lsp"]');
  }
  const [program, ...args] = command;
  return { command: program, args };
}

/** What to say when the server does not start. */
export function advice(command, error) {
  const words = Array.isArray(command) ? command.join(" ") : String(command);
  return `${words} did not start (${error.message ?? error}). Install it with: pip install "falldamage-forge[lsp]", or set "forge.command".`;
}
