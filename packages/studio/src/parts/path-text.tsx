import { PlainText } from './plain-text.tsx';

/** The path of a file, which goes on in another line behind a slash before it breaks within a name. */
export function PathText({ path }: { readonly path: string }) {
  return path.split(/(?<=\/)/).map((part, at) => (
    <span key={at} class="path-part">
      <PlainText text={part} />
    </span>
  ));
}
