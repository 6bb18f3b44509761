export async function render() {
  return 0;
}
