export async function graph() { return 0; }
