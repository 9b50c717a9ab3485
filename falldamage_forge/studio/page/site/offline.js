// Asks the browser to store the site, once; a browser that saves data, or stores nothing, goes on
// online.
export async function storeSite() {
  if (!("serviceWorker" in navigator) || navigator.connection?.saveData) return false;
  try {
    await navigator.serviceWorker.register("service-worker.js");
    await navigator.serviceWorker.ready;
    document.documentElement.dataset.offline = "ready";
    return true;
  } catch {
    return false;
  }
}
