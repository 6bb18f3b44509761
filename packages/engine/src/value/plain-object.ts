/**
 * Whether an object is a mapping, as JSON and literals make it: of no class of its own. One from another realm of JavaScript is, too: test
 * runners such as Jest, and programs with contexts of `node:vm`, hand over such ones.
 */
export function isPlainObject(value: object): boolean {
  const prototype: object | null = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null;
}
