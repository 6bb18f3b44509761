export async function init() { return 0; }
