const mark = /!\[\s*image\s*\]\(\{\{(\s*[^\s{}]+\s*)\}\}\)/g;

/** A template whose images, `![image]({{ name }})`, stand as variables on lines of their own. */
export function withoutImageMarks(text: string): string {
  return text.replaceAll(mark, '\n{{$1}}\n');
}

/** Variables that a template shows as images. */
export function imageVariables(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(mark)].map(([, name = '']) => name.trim()));
}
