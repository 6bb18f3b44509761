/**
 * Whether a key belongs to an input method, as the Enter that ends a conversion of Japanese. Safari says that the conversion is
 * over before it tells of that key, which it marks by the code 229 alone (W3C UI Events, how `keyCode` is determined).
 */
export function isConverting({ isComposing, keyCode }: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean {
  return isComposing || keyCode === 229;
}
