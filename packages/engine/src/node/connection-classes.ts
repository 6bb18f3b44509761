/**
 * The classes of connections that a Python annotation names: one, or a choice (`Union[AConnection, BConnection]`,
 * `AConnection | None`); empty where it names anything else.
 */
export function connectionClasses(type: string): readonly string[] {
  const classes = type
    .replace(/^(?:\w+\.)*(?:Union|Optional)\[([\s\S]*)\]$/, '$1')
    .split(/[,|]/)
    .map((one) => one.trim())
    .filter((one) => one !== 'None' && one !== '');
  return classes.every((one) => /^[\w.]*Connection$/.test(one))
    ? classes.map((one) => one.split('.').at(-1) ?? '')
    : [];
}
