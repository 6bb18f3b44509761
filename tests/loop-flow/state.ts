export interface Message {
  readonly content: string | null;
  readonly function_call: { readonly name: string; readonly arguments: string } | null;
}

export interface State {
  readonly finished: boolean;
  readonly query: string;
  readonly content?: string | null;
  readonly function_results: readonly unknown[];
}
