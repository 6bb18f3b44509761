// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates

/** A flow that both systems run, with rows for it. */
export interface MadeFlow {
  readonly name: string;
  /** Texts by path; the definition is `flow.dag.yaml`. */
  readonly files: Readonly<Record<string, string>>;
  readonly rows: readonly Readonly<Record<string, string>>[];
}

const template =
  '# system:\nYou search.\n{% for r in state.function_results %}\n# function:\n## name:\n{{r.name}}\n## content:\n{{r.content[0]}}\n{% endfor %}\n# user:\n{{state.query}}\n';
const start = `from promptflow.core import tool

@tool
def start(query: str) -> dict:
    return {"finished": False, "query": query, "function_results": []}
`;
const functions = `from unroll import function_node

def search(query: str) -> str:
    if "fail" in query:
        raise ValueError("no such page: " + query)
    return "found " + query

step = function_node(search)
`;

function loopFlow(keys: string, finalize = ''): string {
  return `inputs: {query: {type: string}}
outputs:
  answer: {type: string, reference: "\${search.output.answer}"}
  all: {type: object, reference: "\${search.output}"}
nodes:
- {name: start, type: python, source: {type: code, path: start.py}, inputs: {query: "\${inputs.query}"}}
loops:
- name: search
  times: 2
  state: \${start.output}
${keys}
  nodes:
  - name: agent
    type: llm
    source: {type: code, path: agent.jinja2}
    connection: model
    api: chat
    inputs: &asked
      model: m
      state: \${loop.state}
      function_call: auto
      functions: [{name: search, description: Searches., parameters: {type: object, properties: {query: {type: string}}}}]
  - {name: step, type: python, source: {type: code, path: functions.py}, inputs: {state: "\${loop.state}", message: "\${agent.output}"}}
${finalize}`;
}

const finalize = `  finalize:
    name: sum_up
    type: llm
    source: {type: code, path: agent.jinja2}
    connection: model
    api: chat
    inputs: {model: m, state: "\${loop.state}"}
`;

const rows = ['once', 'never', 'fail once', 'fail never', 'nothing', '検索 once'].map((query) => ({ query }));

/** Every way in which a loop may end. */
export const madeFlows: readonly MadeFlow[] = [
  { name: 'unfinished', text: loopFlow('  on_exhausted: unfinished\n  on_error: feed_back') },
  { name: 'fails', text: loopFlow('  on_exhausted: fail\n  on_error: feed_back') },
  { name: 'errors end it', text: loopFlow('  on_exhausted: unfinished\n  on_error: fail') },
  { name: 'finalize', text: loopFlow('  on_exhausted: finalize\n  on_error: feed_back', finalize) },
].map(({ name, text }) => ({
  name,
  files: { 'flow.dag.yaml': text, 'agent.jinja2': template, 'start.py': start, 'functions.py': functions },
  rows,
}));
