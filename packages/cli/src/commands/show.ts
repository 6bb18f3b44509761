export async function show() { return 0; }
