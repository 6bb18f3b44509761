/** What helps code that asks promptflow itself for a connection by its name, and is given none of the flow's. */
export function connectionAdvice(code: string): readonly string[] {
  if (code !== 'ConnectionNotFoundError') return [];
  return [
    'promptflow itself, where it is installed, looks in its own store: pf connection create',
    'what connections.yaml holds reaches it as an argument: model={"configuration": config}, where config is a model configuration that the class of the flow takes',
  ];
}
