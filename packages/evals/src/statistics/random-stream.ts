/** Numbers from 0 up to 1, the same for the same seed on every machine. */
export type RandomStream = () => number;

/** Sebastiano Vigna's and David Blackman's xoshiro128**, seeded through splitmix32. */
export function randomStream(seed: number): RandomStream {
  let mixed = seed >>> 0;
  const next = (): number => {
    mixed = (mixed + 0x9e3779b9) >>> 0;
    let value = mixed;
    value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
    value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
    return (value ^ (value >>> 16)) >>> 0;
  };
  let [a, b, c, d] = [next(), next(), next(), next()];
  return () => {
    const scrambled = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotate(d, 11);
    return scrambled / 4_294_967_296;
  };
}

function rotate(value: number, by: number): number {
  return (value << by) | (value >>> (32 - by));
}
