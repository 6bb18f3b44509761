const whitespace = '[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';

const operators = '\\/\\/|\\*\\*|==|!=|>=|<=|[-+/*%~\\[\\](){}><=.:|,;]';

const digits = '(?:\\d+_)*\\d+';

export const patterns = {
  space: new RegExp(`${whitespace}+`, 'y'),
  float: new RegExp(`(?<!\\.)${digits}(?:(?:\\.${digits})?[eE][+-]?${digits}|\\.${digits})`, 'y'),
  integer: /0[bB](?:_?[01])+|0[oO](?:_?[0-7])+|0[xX](?:_?[\da-fA-F])+|[1-9](?:_?\d)*|0(?:_?0)*/y,
  name: /[\p{L}\p{N}\p{M}_]+/uy,
  string: /'(?:[^'\\]*(?:\\[\s\S][^'\\]*)*)'|"(?:[^"\\]*(?:\\[\s\S][^"\\]*)*)"/y,
  operator: new RegExp(operators, 'y'),
};

export const closers: Readonly<Record<string, string>> = { '{': '}', '(': ')', '[': ']' };

export const identifier = /^[\p{ID_Start}_][\p{ID_Continue}]*$/u;

export const asciiIdentifier = /^[A-Za-z_]\w*$/;

export const trailingSpace = new RegExp(`${whitespace}+$`);

export const rawEnd = new RegExp(
  `\\{%([-+]?)${whitespace}*endraw${whitespace}*(?:\\+%\\}|-%\\}${whitespace}*|%\\}(\\n?))`,
  'g',
);

export const rawBegin = new RegExp(`\\{%([-+]?)${whitespace}*raw${whitespace}*(?:-%\\}${whitespace}*|%\\})`, 'y');

export const commentEnd = new RegExp(`\\+#\\}|-#\\}${whitespace}*|#\\}(\\n?)`, 'g');

export const anyBegin = /\{[%#{]/g;

export const blockEnd = new RegExp(`\\+%\\}|-%\\}${whitespace}*|%\\}(\\n?)`, 'y');

export const variableEnd = new RegExp(`-\\}\\}${whitespace}*|\\}\\}`, 'y');
