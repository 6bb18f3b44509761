import type { ComponentChildren } from 'preact';

/** A name that may go on in another line behind each of its underscores. */
export function broken(name: string): ComponentChildren {
  return name.split(/(?<=_)/).map((part, at) => (
    <>
      {at === 0 ? null : <wbr />}
      {part}
    </>
  ));
}
