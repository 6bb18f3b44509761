declare module 'nunjucks/src/parser.js' {
  class Parser {
    constructor(tokens: { nextToken(): unknown });
    nextToken(withWhitespace?: boolean): unknown;
    peekToken(): unknown;
    pushToken(token: unknown): void;
  }
  const module: { readonly Parser: typeof Parser };
  export default module;
}
declare module 'nunjucks/src/nodes.js' {
  interface NodeClass {
    new (line: number, column: number): object;
    extend(name: string, properties: Record<string, unknown>): NodeClass;
  }
  const classes: Record<string, NodeClass> & { Node: NodeClass };
  export default classes;
}
