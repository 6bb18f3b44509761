/** How a flow comes to what lies outside of its folder. Code may import from there, so a file of the folder can hand it on. */
export function wayIntoFolder(path: string): string {
  const ways = 'move the file into the folder, or list it under "additional_includes"';
  if (!/\.[cm]?[jt]s$/.test(path)) return ways;
  return `${ways}; or write a file of the folder that hands it on: \`export { … } from "${path}"\``;
}
