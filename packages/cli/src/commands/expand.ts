export async function expand() {
  return 0;
}
