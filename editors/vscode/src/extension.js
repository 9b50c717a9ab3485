// The language client: all that the extension knows of maps comes from `fdforge lsp`.
import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";
import { advice, serverOptions } from "./server.js";

let client;

async function start() {
  const command = vscode.workspace.getConfiguration("forge").get("command");
  try {
    client = new LanguageClient("forge", "FallDamage Forge", serverOptions(command), {
      documentSelector: [{ language: "forge" }],
    });
    await client.start();
  } catch (error) {
    client = undefined;
    vscode.window.showErrorMessage(advice(command, error));
  }
}

async function stop() {
  await client?.stop();
  client = undefined;
}

export async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("forge.restart", async () => {
      await stop();
      await start();
    }),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration("forge.command")) {
        await stop();
        await start();
      }
    }),
  );
  await start();
}

export const deactivate = stop;
