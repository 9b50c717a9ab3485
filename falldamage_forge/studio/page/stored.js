// JSON values in this browser's storage, which may hold anything, or be forbidden.

// The value of a key if it has a text in a field, or null.
export function stored(key, field) {
  try {
    const kept = JSON.parse(localStorage.getItem(key));
    return typeof kept?.[field] === "string" ? kept : null;
  } catch {
    return null;
  }
}

export function forgotten(key) {
  try {
    localStorage.removeItem(key);
  } catch {
    /* it was not kept either */
  }
}
