/**
 * What to type here for words of Prompt flow's own command line, `pf`; undefined where they are none. Asked only when a command
 * line is wrong.
 *
 * @param argv as it was typed, also with the `flow` of `pf flow …`
 */
export function promptFlowWords(argv: readonly string[]): string | undefined {
  const words = argv[0] === 'flow' ? argv.slice(1) : argv;
  const names = words.filter((word) => !word.startsWith('-')).slice(0, 2);
  const options = new Set(words.filter((word) => word.startsWith('-')).map((word) => word.replace(/=.*/s, '')));
  const [first = '', second = ''] = names;
  const found = [
    ...(first === 'test' ? meantBy(inTalk, options) : []),
    ...(names.includes('create') ? meantBy(inCreate, options) : []),
    ...(Object.hasOwn(byWords, `${first} ${second}`) ? [byWords[`${first} ${second}`]] : []),
    ...(Object.hasOwn(byWords, first) ? [byWords[first]] : []),
    ...byOption.filter(([command, option]) => command === first && options.has(option)).map(([, , here]) => here),
    ...(argv[0] === 'flow' ? ofFlow(first) : []),
  ];
  return found[0];
}

type Meaning = readonly [option: string, here: string];

function meantBy(meanings: readonly Meaning[], options: ReadonlySet<string>): readonly string[] {
  return meanings.filter(([option]) => options.has(option)).map(([, here]) => here);
}

function ofFlow(first: string): readonly string[] {
  const same: Readonly<Record<string, string>> = {
    validate: 'flow check FOLDER',
    init: 'flow init FOLDER',
    serve: 'flow serve FOLDER',
    build: 'flow build FOLDER --output DIR',
  };
  return Object.hasOwn(same, first) ? [same[first] ?? ''] : [];
}

const none = {
  save: 'there is nothing to type: a flow.flex.yaml is one line, entry: module:Class',
  archive: 'there is nothing to type: a run is a file, move it where you like; flow gc removes old ones',
  update: 'there is nothing to type: the record of a run is never changed',
  config: 'there is nothing to set: options and variables name folders (docs/cli.md)',
  service: 'there is no service: flow show, flow runs and flow diff read the records themselves',
} as const;

/** By the words behind `pf`, those of one flow without `flow`. */
const byWords: Readonly<Record<string, string>> = {
  test: 'flow run FOLDER',
  save: none.save,
  visualize: 'flow view RUN; two runs in a file: flow diff RUN RUN --html diff.html',
  'show-details': 'flow show RUN --row 0, or all rows: flow export RUN --out rows.csv',
  'show-metrics': 'flow show RUN',
  list: 'flow runs',
  create: 'flow run FOLDER --data FILE',
  stream: 'flow run FOLDER --data FILE tells of the rows as they end',
  cancel: 'Ctrl-C where it runs; it goes on with flow run --resume RUN',
  delete: 'flow runs rm RUN',
  archive: none.archive,
  restore: none.archive,
  update: none.update,
  'run create': 'flow run FOLDER --data FILE',
  'run list': 'flow runs',
  'run show': 'flow show RUN',
  'run show-details': 'flow show RUN --row 0, or all rows: flow export RUN --out rows.csv',
  'run show-metrics': 'flow show RUN',
  'run visualize': 'flow view RUN; two runs in a file: flow diff RUN RUN --html diff.html',
  'run stream': 'flow run FOLDER --data FILE tells of the rows as they end',
  'run export': 'flow export RUN --out rows.jsonl',
  'run cancel': 'Ctrl-C where it runs; it goes on with flow run --resume RUN',
  'run delete': 'flow runs rm RUN',
  'run archive': none.archive,
  'run restore': none.archive,
  'run update': none.update,
  config: none.config,
  service: none.service,
  upgrade: 'install the new version over the old one (docs/guide/install.md)',
  tool: 'flow check FOLDER finds tools that are not installed',
  experiment: 'flow eval EVAL scores and compares runs',
};

/** Ways to talk with a flow, of which `pf flow test` is the command. */
const inTalk: readonly Meaning[] = [
  ['--interactive', 'flow chat FOLDER'],
  ['--ui', 'flow view has a page to chat with flows; in the terminal flow chat FOLDER'],
];

/** Ways to begin a run, of which `pf run create` is the command. */
const inCreate: readonly Meaning[] = [
  ['--file', 'flow run --file run.yaml'],
  ['-f', 'flow run --file run.yaml'],
  ['--resume-from', 'flow run --retry-failed RUN; of one that was stopped flow run --resume RUN'],
];

/** Options of `pf` that the command has not. */
const byOption: readonly (readonly [command: string, option: string, here: string])[] = [
  ['validate', '--source', 'flow check FOLDER'],
  ['check', '--source', 'flow check FOLDER'],
  ['init', '--flow', 'flow init FOLDER'],
  ['init', '--type', 'flow init FOLDER --template NAME'],
  ['run', '--flow', 'flow run FOLDER'],
  ['run', '--source', 'flow run FOLDER'],
  ['chat', '--flow', 'flow chat FOLDER'],
  ['serve', '--static_folder', 'GET / is a page of its own; pages elsewhere may ask with --cors ORIGIN'],
  ['serve', '--config', 'connections are found where docs/connections.md says, or with --connections FILE'],
  ['build', '--variant', 'all variants go along; flow serve takes one with --variant'],
  ['show', '--name', 'flow show RUN'],
  ['show', '-n', 'flow show RUN'],
  ['export', '--name', 'flow export RUN'],
];
