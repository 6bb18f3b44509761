// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
import type { DiagnosticCode } from './diagnostic-code.ts';
import { evalCodes } from './diagnostic-codes-eval.ts';

/** Every code there is, by the parts of a flow they are about. */
export const diagnosticCodes: Readonly<Record<string, DiagnosticCode>> = {
  FLOW_YAML: {
    meaning: 'The file is no YAML: nothing more can be said of it until it is.',
    example: 'inputs: {question: {type: string}',
    fix: 'Close what is open, quote texts that hold `: ` or ` #`, indent with spaces. The place is where the reader gave up; the mistake may stand before it.',
  },
  FLOW_DUPLICATE_KEY: {
    meaning: 'A key is written twice in one mapping.',
    example: ['inputs:', '  tone: kind', '  tone: short'].join('\n'),
    fix: 'Remove one of them; the note shows the first.',
  },
  FLOW_UNKNOWN_KEY: {
    meaning: 'A key that has no meaning at this place.',
    example: ['- name: ask', '  type: llm', '  conection: offline'].join('\n'),
    fix: 'Write the suggested key, or remove it. A warning: the key is ignored, as Prompt flow ignores it.',
  },
  FLOW_MISSING_KEY: {
    meaning: 'A key that must be there is not.',
    example: ['nodes:', '- name: ask', '  source: {type: code, path: ask.jinja2}   # no type'].join('\n'),
    fix: 'Add the key that the message names.',
  },
  FLOW_WRONG_VALUE: {
    meaning:
      'A value of the wrong kind: a text where a list must be, a number that is too small. A warning where the flow runs with it all the same.',
    example: 'nodes: ask',
    fix: 'The message says what must stand there.',
  },
  FLOW_INPUT_TYPE: {
    meaning:
      'The type of an input or output is missing or not one of the types there are; of a prompty and a flow that is code, of an argument under `init` too.',
    example: ['inputs:', '  question: {type: str}'].join('\n'),
    fix: 'Use one of `int double bool string secret prompt_template list object file_path image assistant_definition`.',
  },
  FLOW_MESSAGE_FORMAT: {
    meaning: '`message_format` is neither `basic` nor `openai-vision`.',
    example: 'message_format: vision',
    fix: 'Write one of the two, or leave it out.',
  },
  FLOW_NODE_ORDER: {
    meaning:
      'A node stands before one it reads, in a flow with `message_format: openai-vision`: Prompt flow forgets the format where it has to sort nodes, so images of rows are read and written as with `basic`.',
    example: [
      'message_format: openai-vision',
      'nodes:',
      '- name: look',
      '  inputs: {photo: "${crop.output}"}',
      '- name: crop',
    ].join('\n'),
    fix: 'Put the node behind those it reads.',
  },
  FLOW_UNKNOWN_NODE_TYPE: {
    meaning: 'A node has a type that nothing implements.',
    example: ['- name: ask', '  type: promt'].join('\n'),
    fix: 'Write the suggested type; the help lists those there are. Code is of type `python`, in TypeScript and JavaScript too.',
  },
  FLOW_NODE_TYPE_NOT_YET: {
    meaning: 'A node has a type of the format that cannot be run yet.',
    example: ['- name: ask', '  type: csharp'].join('\n'),
    fix: 'Use another type; code nodes run Python, TypeScript and JavaScript.',
  },
  FLOW_DUPLICATE_NODE: {
    meaning: 'Two nodes have the same name.',
    example: ['nodes:', '- name: ask', '  type: prompt', '- name: ask', '  type: llm'].join('\n'),
    fix: 'Rename one of them; the note shows the first.',
  },
  FLOW_UNKNOWN_NODE: {
    meaning: 'A reference to a node that does not exist.',
    example: ['outputs:', '  answer: {type: string, reference: "${anwser.output}"}'].join('\n'),
    fix: 'Write the suggested name. A reference is the whole text: inside the braces nothing is trimmed.',
  },
  FLOW_UNKNOWN_INPUT: {
    meaning: 'A reference to an input that the flow does not declare.',
    example: [
      'inputs:',
      '  question: {type: string}',
      'nodes:',
      '- name: ask',
      '  inputs: {question: "${inputs.qestion}"}',
    ].join('\n'),
    fix: 'Declare the input, or write the suggested name. An input has no properties: `${inputs.a.b}` asks for an input called `a.b`.',
  },
  FLOW_REFERENCE_SECTION: {
    meaning: 'A reference asks for something else of a node than its `output`.',
    example: 'inputs: {hits: "${find.hits}"}',
    fix: 'Write `${find.output.hits}`. Outputs of a flow ignore the word and give the whole output.',
  },
  FLOW_REFERENCE_IN_TEXT: {
    meaning:
      'A reference stands inside a longer text, a list or a mapping, where it is not looked at, has other braces, or no `}` at its end.',
    example: 'inputs: {greeting: "Hello ${inputs.name}"}',
    fix: 'Give the reference an input of its own, and put the text together in the template or the code.',
  },
  FLOW_EMPTY_REFERENCE: {
    meaning: 'An output of the flow does not say where its value comes from.',
    example: ['outputs:', '  answer: {type: string}'].join('\n'),
    fix: 'Add `reference: ${node.output}`.',
  },
  FLOW_CYCLE: {
    meaning: 'Nodes wait for each other in a circle, through inputs or conditions.',
    example: [
      '- name: draft',
      '  inputs: {critique: "${review.output}"}',
      '- name: review',
      '  inputs: {text: "${draft.output}"}',
    ].join('\n'),
    fix: 'Cut one of the arrows that the notes show; what is to be repeated goes under `loops`, with a bound.',
  },
  FLOW_AGGREGATION: {
    meaning:
      'A node that runs once a row reads an aggregation node, or the condition of an aggregation node looks at one that runs once a row.',
    example: ['- name: report', '  inputs: {score: "${mean.output}"}', '- name: mean', '  aggregation: true'].join(
      '\n',
    ),
    fix: 'Aggregation nodes run after all rows: what reads them must be one too.',
  },
  FLOW_OUTPUT_OF_AGGREGATION: {
    meaning: 'An output refers to an aggregation node, which runs after all rows: the output is not given.',
    example: ['outputs:', '  mean: {type: double, reference: "${mean.output}"}   # mean has aggregation: true'].join(
      '\n',
    ),
    fix: 'Log a metric in the node, and remove the output.',
  },
  FLOW_VARIANT: {
    meaning: 'The variants of a node cannot be applied: the node has none, or not the one asked for.',
    example: [
      'nodes:',
      '- {name: ask, use_variants: true}',
      'node_variants:',
      '  ask: {default_variant_id: short, variants: {long: {node: {type: llm}}}}',
    ].join('\n'),
    fix: 'Name one that is written under `variants`.',
  },
  FLOW_OVERRIDE: {
    meaning: 'A connection, deployment or model given for a run has no place in the flow.',
    example: 'flow run my-flow --connections aks.connection=mine   # the node is called ask',
    fix: 'Write `node.connection=name`, `node.deployment_name=name` or `node.model=name`, with a node of the flow.',
  },
  FLOW_ACTIVATE: {
    meaning: 'A condition lacks `when` or `is`.',
    example: 'activate: {when: "${check.output}"}',
    fix: 'Give both: the node runs when `when` equals `is`.',
  },
  FLOW_LOOP_UNBOUNDED: {
    meaning: 'A loop without a bound, or with one that is no whole number from 1 on.',
    example: ['loops:', '- name: search', '  state: ${start.output}'].join('\n'),
    fix: 'Add `times`, the most repetitions there may be, for instance `times: 3`.',
  },
  FLOW_LOOP_EMPTY: {
    meaning: 'A loop repeats no nodes.',
    example: ['loops:', '- name: search', '  times: 3', '  nodes: []'].join('\n'),
    fix: 'List the nodes of one repetition under `nodes`; the last one gives the next state.',
  },
  FLOW_LOOP_STATE: {
    meaning: 'The first state of a loop is not the output of a node.',
    example: ['loops:', '- name: search', '  times: 3', '  state: ${inputs.question}'].join('\n'),
    fix: 'Let a node give the state, an object such as `{"finished": false, "query": …}`.',
  },
  FLOW_LOOP_LAST_NODE: {
    meaning: 'The last node of a loop does not take the state, so that it could not hand it on.',
    example: [
      'loops:',
      '- name: search',
      '  nodes:',
      '  - name: agent',
      '  - name: step',
      '    inputs: {message: "${agent.output}"}',
    ].join('\n'),
    fix: 'Bind one of its inputs to `${loop.state}`.',
  },
  FLOW_LOOP_REFERENCE: {
    meaning: '`${loop.…}` names something that a loop does not have.',
    example: 'inputs: {state: "${loop.sate}"}',
    fix: 'There are `${loop.state}`, `${loop.state.property}` and `${loop.iteration}`.',
  },
  FLOW_LOOP_NAME_TAKEN: {
    meaning: 'A name that a loop makes, such as `agent_1`, is taken by something else.',
    example: ['nodes:', '- name: agent_1', 'loops:', '- name: search', '  nodes: [{name: agent}]'].join('\n'),
    fix: 'Rename one of them.',
  },
  FLOW_LOOP_RESERVED_NAME: {
    meaning: 'In a flow with loops something is called `loop`.',
    example: ['loops:', '- name: loop'].join('\n'),
    fix: 'Choose another name.',
  },
  FLOW_LOOP_ACTIVATE: {
    meaning:
      'The condition of a node of a loop asks something else than a node of the same iteration, or the last node has one.',
    example: [
      'loops:',
      '- name: search',
      '  nodes:',
      '  - name: agent',
      '    activate: {when: "${inputs.deep}", is: true}',
    ].join('\n'),
    fix: 'Nodes of a loop run until the loop has ended. Ask a node of the group, decide inside the node, or outside the loop.',
  },
  FLOW_LOOP_AGGREGATION: {
    meaning: 'A node of a loop is marked as an aggregation node.',
    example: ['loops:', '- name: search', '  nodes:', '  - {name: agent, aggregation: true}'].join('\n'),
    fix: 'A loop belongs to one row: aggregate outside of it.',
  },
  FLOW_LOOP_FINALIZE: {
    meaning: '`on_exhausted: finalize` and the node `finalize` do not go together: one is there without the other.',
    example: ['loops:', '- name: search', '  on_exhausted: finalize   # and no finalize: …'].join('\n'),
    fix: 'Give the loop a node under `finalize`, or another `on_exhausted`.',
  },
  FLOW_FEED_BACK: {
    meaning: 'It cannot be told where the error of a function would be fed back.',
    example: [
      'loops:',
      '- name: search',
      '  on_error: feed_back',
      '  nodes:',
      '  - name: agent',
      '  - name: step',
      '    inputs: {state: "${loop.state}"}   # and no message',
    ].join('\n'),
    fix: 'Bind exactly one input of the last node to `${loop.state}` and exactly one to the output of another node of the loop.',
  },
  FLOW_NO_OUTPUT: {
    meaning: 'A flow without outputs and without aggregation nodes gives nothing.',
    example: 'outputs: {}',
    fix: 'Add an output with a reference to a node.',
  },
  FLOW_INPUT_UNUSED: {
    meaning: 'An input of the flow that no node, condition or output reads.',
    example: ['inputs:', '  limit: {type: int, default: 3}   # and no ${inputs.limit}'].join('\n'),
    fix: 'Read it, or remove it.',
  },
  INPUT_DEFAULT_TYPE: {
    meaning:
      'The default of an input cannot become the type of that input, or is an image that is not there, or the sample of a flow cannot be used: every row that uses it fails. A warning: rows may give their own.',
    example: ['inputs:', '  limit: {type: int, default: many}'].join('\n'),
    fix: 'Change the default or the type.',
  },
  NODE_UNREAD: {
    meaning: 'A node that no output, node or aggregation reads, and that changes nothing outside the flow.',
    example: [
      '- name: title          # and no ${title.output} anywhere',
      '  type: prompt',
      '  source: {type: code, path: title.jinja2}',
    ].join('\n'),
    fix: 'Read its output somewhere, or remove it. Code nodes may have effects of their own, so that nothing is said of them.',
  },
  NODE_NEVER_RUNS: {
    meaning: 'A node that is always bypassed, because all it reads is.',
    example: [
      '- name: explain',
      '  type: prompt',
      '  inputs: {text: "${ask.output}"}   # and the condition of ask never holds',
    ].join('\n'),
    fix: 'Correct the condition that the note shows.',
  },
  CONDITION_NEVER_TRUE: {
    meaning:
      'A condition that can never hold, because of the type of what it looks at. Equality is Python\'s: `"true"` is not `true`.',
    example: [
      'inputs:',
      '  deep: {type: bool}',
      'nodes:',
      '- name: search',
      '  activate: {when: "${inputs.deep}", is: "true"}',
    ].join('\n'),
    fix: 'Compare with a value of that type; often the quotes are too many.',
  },
  PROPERTY_IMPOSSIBLE: {
    meaning:
      'A property is asked of an output that never has it: a text, a number or a list, or the result of a loop or a `tool_lookup` that has others. Items of a list are `${find.output.[0].text}`.',
    example: [
      'outputs:',
      '  answer: {type: string, reference: "${write.output.answer}"}   # write is a prompt node',
    ].join('\n'),
    fix: 'Read the whole output, or take it apart in a code node.',
  },
  PROPERTY_READ_OTHERWISE: {
    meaning:
      'Between the names of a property stands what Prompt flow, and so Unroll, passes over: the property that is read is another one.',
    example: [
      'outputs:',
      `  price: {type: int, reference: '\${offer.output["unit price"]}'}   # read as unit.price`,
    ].join('\n'),
    fix: "Write a key that is no single word in single quotes: `['unit price']`. A warning: such a property may exist.",
  },
  NODE_INPUT_MISSING: {
    meaning:
      'Code requires a parameter that the node does not give; a literal null or `""` counts as not given. The call would fail; a warning where it would not, as in TypeScript, whose code finds `undefined`.',
    example: [
      '- name: split            # def split(text: str, parts: int)',
      '  type: python',
      '  inputs: {text: "${inputs.question}"}',
    ].join('\n'),
    fix: 'Add the input, or give the parameter a default.',
  },
  NODE_INPUT_UNKNOWN: {
    meaning:
      'A node gives an input that its code does not take. A call of Python would fail; a warning where the input is passed over.',
    example: [
      '- name: split            # def split(text: str, parts: int)',
      '  type: python',
      '  inputs: {text: "${inputs.question}", part: 3}',
    ].join('\n'),
    fix: 'Write the suggested name, or remove the input.',
  },
  NODE_INPUT_TYPE: {
    meaning:
      'A literal cannot become the type of the parameter it is for, or an image is given to the template of a node that prints it as a text.',
    example: [
      '- name: split            # def split(text: str, parts: int)',
      '  type: python',
      '  inputs: {text: hello, parts: three}',
    ].join('\n'),
    fix: 'Write a value of that type; an image shows in a node of a vision tool ([images](images.md)).',
  },
  CODE_READS_UNSEEN: {
    meaning:
      'Code gets at something of which nobody can tell later whether it is the same: a process, the network, a database of its own. `flow run --since` runs such a node each time.',
    example: "import { execFileSync } from 'node:child_process';",
    language: 'typescript',
    fix: 'Nothing is wrong. `cache: true` at the node takes its earlier output all the same, `cache: false` says that it always runs; either is told no more.',
  },
  IMPORT_MISSING: {
    meaning:
      'Code imports what the Python or the Node that would run the flow does not find: its package is not installed, lacks it in that version, lists no such tool or cannot be imported itself. Imports in functions, conditions and `try` are not looked at, but for those that the tool of a node comes to whenever it is called. A warning where a call comes to them, and where code of the flow changes where modules are looked for.',
    example: 'import pandas',
    language: 'python',
    fix: 'List the package in requirements.txt and run `flow python setup`, or name a Python that has it in `UNROLL_PYTHON`; for TypeScript, `npm install` it.',
  },
  PYTHON_SYNTAX: {
    meaning: 'A Python file cannot be read by the Python that would run the flow.',
    example: 'def ask(question: str:',
    language: 'python',
    fix: 'Correct the place shown; the words are those of Python.',
  },
  CODE_SYNTAX: {
    meaning: 'A TypeScript file cannot be read by the Node that would run the flow.',
    example: 'export const answer = ;',
    language: 'typescript',
    fix: 'Correct the line shown; the words are those of Node.',
  },
  CODE_FUNCTION: {
    meaning:
      'The file of a node has nothing that could be the node: a Python file without a function under `@tool`, or with several, a TypeScript or JavaScript file that exports nothing, a file that raises an exception whenever it is loaded, as one does where `@tool` is handed something else than the function; or the package of a tool does not have the function that it lists, or not one that takes a template. A warning where a function of TypeScript or JavaScript takes its inputs apart (`(a, b)` and not `({ a, b })`), since it is handed one object. Told only where the file shows it without being run.',
    example: ['from promptflow.core import tool', '', 'def ask(question: str):', '    return question'].join('\n'),
    language: 'python',
    fix: 'Put `@tool` above the one function that is the node, or export it; another node has its function in a file of its own.',
  },
  CODE_NAME: {
    meaning:
      'Python code uses a name that nothing in its file gives and Python does not have, or takes one from a file or an installed package that does not define it, or from a file not yet since it imports the one that asks; or a relative import stands in the file of a node, which is in no package. Told only where the files show it without being run. An error where the file cannot be loaded for it; a warning in code that is reached by a call, which a row records as its failure.',
    example: ['@tool', 'def ask(question: str):', '    return question'].join('\n'),
    language: 'python',
    fix: 'Import the name, `from promptflow.core import tool` for instance, or correct it.',
  },
  CODE_VARIABLE: {
    meaning:
      'A Python file cannot be loaded without a variable of the environment, and it is not set where the flow is checked. A warning, since the run may have it.',
    example: 'key = os.environ["MY_KEY"]',
    language: 'python',
    fix: 'Set it, for one run with `--env`; or read it in the function that is the node, where a row records that it is missing.',
  },
  PYTHON_MISSING: {
    meaning: 'The flow has Python code, and there is no Python to run it, or it cannot be asked.',
    example: ['- name: split', '  type: python', '  source: {type: code, path: split.py}'].join('\n'),
    fix: 'Install Python 3.9 or newer, or name one in `UNROLL_PYTHON`.',
  },
  PYTHON_SETTING: {
    meaning: 'The flow has Python code, and a variable that says how it is run has a value that says nothing.',
    example: 'environment_variables: {UNROLL_PYTHON_WORKERS: many}',
    fix: 'Give `UNROLL_PYTHON_WORKERS` a whole number, `UNROLL_PYTHON_MEMORY` a size such as 512MB; or unset it.',
  },
  TEMPLATE_SYNTAX: {
    meaning:
      'A template cannot be read, asks for something that cannot be rendered as Jinja2 renders it, or fails in each rendering: with the values that the flow writes for what an expression reads, or with arguments of a filter or test that go with no value. A warning where it asks for another template that it may never come to.',
    example: '{% for hit in hits %}{{ hit.title }}',
    language: 'jinja',
    fix: 'Correct the place shown; the message begins with the class of error that Jinja2 would raise.',
  },
  TEMPLATE_VARIABLE_MISSING: {
    meaning:
      'A template uses a variable that no input of its node gives; it prints as nothing. A warning: the run goes on, as in Prompt flow. An error where each rendering reads an attribute of it, calls it or reckons with it, which Jinja2 refuses: the node fails when it is reached.',
    example: '質問: {{qestion}}',
    language: 'jinja',
    fix: 'Add the input, or correct the name. What may be missing is written `{{ x | default("…") }}` or asked with `is defined`.',
  },
  TEMPLATE_ROLE: {
    meaning:
      'The template of a chat begins with text and not with a role, or a message of its has not the form that its role needs: each row fails. A warning: a value alone before a colon begins a message where it is a role.',
    example: 'Answer in one sentence.\n\nuser:\n{{question}}',
    language: 'jinja',
    fix: 'Put a line such as `system:` above the text, or write `api: completion` for a prompt that is no chat.',
  },
  TEMPLATE_INPUT_UNUSED: {
    meaning: 'A node gives an input that its template does not use.',
    example: [
      '- name: ask              # ask.jinja2: {{question}}',
      '  type: prompt',
      '  inputs: {question: "${inputs.question}", history: []}',
    ].join('\n'),
    fix: 'Use it in the template, or remove it.',
  },
  FILE_MISSING: {
    meaning:
      'The file of a node does not exist, or one that its Python opens whenever it is loaded. A warning where `environment: {python_requirements_txt: …}` names no file, or another one than the `requirements.txt` that `flow python setup` installs.',
    example: 'source: {type: code, path: prompts/shortn.jinja2}',
    fix: 'Correct the path; it counts from the folder of the flow.',
  },
  FILE_OUTSIDE: {
    meaning: 'A path leads out of the folder of the flow, which is all a flow may read.',
    example: 'source: {type: code, path: ../shared/ask.jinja2}',
    fix: 'Move the file into the folder, or list it under `additional_includes`.',
  },
  FILE_ENCODING: {
    meaning: 'A flow, a prompty file or a template is no text in UTF-8.',
    example: 'ask.jinja2, saved in CP932 or UTF-16',
    fix: 'Save it as UTF-8, with a byte order mark or without.',
  },
  INCLUDE_MISSING: {
    meaning: 'What `additional_includes` names does not exist.',
    example: ['additional_includes:', '- ../shared/hepler.py'].join('\n'),
    fix: 'Correct the path; it counts from the folder of the flow.',
  },
  INCLUDE_NO_FILE: {
    meaning:
      'What `additional_includes` names, or something in it, is no file: a pipe, a socket, a device, or nothing that may be read.',
    example: ['additional_includes:', '- /dev/random'].join('\n'),
    fix: 'Include files, and folders that hold files.',
  },
  INCLUDE_TOO_LARGE: {
    meaning: 'A folder that is included holds more than 10,000 files, or 1 GB.',
    example: ['additional_includes:', '- /'].join('\n'),
    fix: 'Include the folders and files that the flow needs.',
  },
  INCLUDE_REPLACES: {
    meaning: 'An included file has the name of one in the folder of the flow, and is used instead of it.',
    example: ['additional_includes:', '- ../shared/ask.jinja2   # there is an ask.jinja2 here'].join('\n'),
    fix: 'Rename or remove one of them.',
  },
  PROMPTY_FORM: {
    meaning: 'A `.prompty` file does not start with its settings.',
    example: ['system:', 'Answer in one sentence.'].join('\n'),
    language: 'jinja',
    fix: 'Write the settings first: a line `---`, YAML (`model`, `inputs` …), a line `---`, then the template.',
  },
  PROMPTY_MODEL: {
    meaning:
      'A `.prompty` file asks for an API, an answer or a kind of model that it cannot have, names no model, or takes a variable of the environment that is not set.',
    example: ['model:', '  api: chats'].join('\n'),
    fix: 'The message names what can be written.',
  },
  FLEX_ENTRY: {
    meaning:
      'The function or class that is the flow is not found, or what is found is neither; or a node of a flow is of type `flex`, which no node is.',
    example: 'entry: chat:anwser',
    fix: 'Write module:function or module:Class; the module is a file in the folder of the flow.',
  },
  FLEX_ARGUMENT: {
    meaning:
      'The class that is the flow takes an argument for which its file has no value or a connection that is not there, or the file gives one that it does not take.',
    example: 'entry: greet:Greet        # def __init__(self, mark: str)',
    fix: 'Give it with `--init mark=!` when the flow runs, or write a default: `init: {mark: {type: string, default: "!"}}`.',
  },
  FLEX_VARIABLE: {
    meaning:
      'The variable `PF_FLOW_INIT_CONFIG`, which gives a class that is served what it takes, holds no JSON or something else than an object. A warning: only `flow serve` reads it, and stops there.',
    example: "PF_FLOW_INIT_CONFIG='mark=!'",
    fix: 'Write a JSON object of the arguments by name: `PF_FLOW_INIT_CONFIG=\'{"mark": "!"}\'`, or take the variable away.',
  },
  FLOW_LANGUAGE: {
    meaning: 'The flow is written in a language that does not run here.',
    example: 'language: csharp',
    fix: 'Write its nodes in Python, TypeScript or JavaScript.',
  },
  FUNCTION_UNDEFINED: {
    meaning:
      'A model is offered a function that no code which reads its answer defines: the call would fail when the model makes it.',
    example: ['functions:', '- name: faq_serch        # functionNode({ faq_search })'].join('\n'),
    fix: 'Correct the name, or define the function in the code that reads the answer.',
  },
  CONNECTION_MISSING: {
    meaning: 'A connection is named that cannot be found, or an llm node names none.',
    example: ['- name: ask', '  type: llm', '  connection: ofline'].join('\n'),
    fix: 'Correct the name, or define the connection in `connections.yaml` beside the flow, for instance `my_model: {type: open_ai, api_key: "${env:MY_KEY}"}`. With `OPENAI_API_KEY` in the environment there is `open_ai_connection`, with `AZURE_OPENAI_ENDPOINT` there is `azure_open_ai_connection`; `offline` is always there.',
  },
  CONNECTION_UNUSABLE: {
    meaning:
      'A node names a connection that is there and cannot be used: a variable it reads is not set, its entry in a file is wrong, or its secret is not to be had.',
    example: [
      'mine:                      # in connections.yaml',
      '  type: open_ai',
      '  api_key: ${env:MY_KEY}     # and MY_KEY is not set',
    ].join('\n'),
    fix: 'Do what the help says; `flow connection list` shows all connections and what is wrong with them. `--connections ask.connection=offline` takes another one for a run.',
  },
  CONNECTION_FILE: {
    meaning:
      'A file of connections has one without a type, of a type there is not, a key twice, a field that its type does not have, or `${NAME}` where `${env:NAME}` is meant. What is printed of the file has `*` in place of values.',
    example: ['my_model:', '  type: open_ia', '  api_kye: ${env:MY_KEY}'].join('\n'),
    fix: 'Write the suggested word. A connection that no node asks for stops nothing.',
  },
  CONNECTION_TYPE: {
    meaning: 'A connection is of a type that the input it is given to does not take, or what stands there is no name.',
    example: [
      '- name: search          # def search(connection: CognitiveSearchConnection)',
      '  inputs: {connection: my_open_ai}',
    ].join('\n'),
    fix: 'Name a connection of the type that the help tells.',
  },
  CONNECTION_DOUBT: {
    meaning:
      'A connection hardly does for the node that names it: its secret is not there, as after `flow connection import`, or the model is still that of the offline stand-in, or Python code that calls a prompty cannot ask it, or the index of an Azure lookup node leads to connections of a workspace. An error where the node cannot run with it: the connection has no address (`api_base`) or one that does not begin with `https://`, or the node asks for what the model behind it never gives, such as `n: 3` of a provider of the AI SDK, or offers tools or functions in a form that is refused, or the endpoint of an Open Model LLM tool is not one that its connection tells.',
    example: ['- name: ask', '  type: llm', '  connection: my_open_ai', '  inputs: {model: offline}'].join('\n'),
    fix: 'Write the name of a model that the service has; give the secret with `flow connection update NAME --set api_key=…`; leave the parameter out, as the help tells.',
  },
  MODEL_PARAMETER: {
    meaning:
      'A parameter of an llm node that its API does not have (an error), or that its model is known to refuse, or a value that the parameter is not known to have, or of a kind that no service takes, such as `temperature: ２` in a prompty, which is a text and sent as one, or a name in a prompty that is nearly one of a parameter (`temperatur`), or a keyword in the schema of its `response_format` that is nearly one of JSON Schema (warnings).',
    example: ['- name: ask', '  type: llm', '  api: responses', '  inputs: {model: gpt-5, stop: ["\\n"]}'].join('\n'),
    fix: 'Write what the help names: `max_completion_tokens` in the place of `max_tokens` for models that think, `api: chat` for a parameter that only chat has.',
  },
  PACKAGE_MISSING: {
    meaning:
      'A node asks a service whose client is a package of its own, and that is not installed: Amazon Bedrock, Azure AI Search, the Entra identity, AWS Lambda, MCP servers.',
    example: ['- name: find', '  type: lookup', '  connection: my_search   # cognitive_search', '  index: faq'].join(
      '\n',
    ),
    fix: 'Run the command that the help names, such as `npm install @azure/search-documents@13`, where the command `flow` is installed.',
  },
  PROMPT_FLOW_CANNOT: {
    meaning:
      '`flow expand --promptflow` meets a node that Prompt flow cannot run: in TypeScript, or of a type it does not have. Or the flow is a `flow.flex.yaml` or a `.prompty`, which Prompt flow runs as it is.',
    example: ['- name: search', '  type: python', '  source: {type: code, path: search.ts}'].join('\n'),
    fix: 'Write what the node does as a Python node.',
  },
  LOOKUP_BAD_DOCUMENT: {
    meaning: 'A document of a search index cannot be read: the line is no JSON, it has no text, or its id is taken.',
    example: '{"id": "faq-01", "question": "Is consent needed?"}',
    fix: 'Correct the document the place shows. A document needs a text (`text`, `answer`, `content` or `body`) and an `id` of its own.',
  },
  INDEX_UNFINISHED: {
    meaning:
      'A search index is not whole: its build failed, was stopped, or is under way, and a lookup finds only what is in it so far.',
    example: ['- name: find', '  type: lookup', '  index: law.index   # flow index build was interrupted'].join('\n'),
    fix: 'Run `flow index update` on it, or wait for the build.',
  },
  FLOW_AGENT: {
    meaning:
      'A node of type `agent` that cannot be written out as a loop: it has no template, is the last node of a loop, or aggregates.',
    example: ['- name: ask', '  type: agent', '  tools: tools.yaml   # no source'].join('\n'),
    fix: 'Give it a template; in a loop let a python node after it give the next state. docs/guide/agents.md shows its keys.',
  },
  TOOL_EXECUTOR: {
    meaning: 'Nothing, or more than one thing, stands behind a tool.',
    example: [
      'tools:',
      '- name: multiply',
      '  description: Multiplies two numbers.   # no code, lambda, openapi, mcp …',
    ].join('\n'),
    fix: 'Give the entry one of the keys that the message names; docs/guide/agents.md shows each.',
  },
  TOOL_NAME: {
    meaning: 'A name that no model may be told.',
    example: ['- name: 検索', '  description: …', '  code: tools.ts'].join('\n'),
    fix: 'Use 1 to 64 letters, digits, `_` and `-`; for user programs the rule that the message tells.',
  },
  TOOL_DESCRIPTION: {
    meaning: 'A user program has no description, or one that is too long.',
    example: ['aws_lambda_functions:', '- name: search_manual'].join('\n'),
    fix: 'Write 1 to 4096 characters: the model decides by it.',
  },
  TOOL_PARAMETERS: {
    meaning:
      'The arguments of a tool are not described by a JSON Schema of an object, or break a rule of user programs. A warning where a keyword is nearly one of JSON Schema (`propertes`), which asks nothing, and where the function of a tool reads arguments that no parameter describes.',
    example: ['- name: multiply', '  code: tools.ts', '  parameters: {type: number}'].join('\n'),
    fix: 'Write `type: object` with `properties`, and `required` for those that must be there.',
  },
  TOOL_OPENAPI: {
    meaning:
      'An OpenAPI document that no tools can be made of. A warning where the arguments of an operation come to more than 50,000 values or 200 levels, or a `$ref` of one leads out of the document: a model is told the rest; and where no parameter says what `{id}` in a path is, or a cookie is needed: a call over HTTP fails.',
    example: ['paths:', '  /orders/{id}:', '    get: {description: One order.}   # no operationId'].join('\n'),
    language: 'yaml',
    fix: 'Give every operation an `operationId`: it becomes the name of the tool.',
  },
  TOOL_CONNECTOR: {
    meaning:
      'A user program is described in one of its two files and not connected in the other, or connected twice there, or with more than one connector. A warning where `tools.ja.yml` holds tools of another kind, which are left out.',
    example: ['service:', '  langchain:', '    tools: []   # tools.ja.yml describes search_manual'].join('\n'),
    fix: 'Name the tool once under `service.langchain.tools`, with one connector: its function and region.',
  },
  TOOL_UNKNOWN: {
    meaning: 'A tool or operation is asked for that its file does not define.',
    example: ['- openapi: orders.yaml', '  operations: [getOrdr]'].join('\n'),
    fix: 'Write one of the names that the help lists.',
  },
  TOOL_CATALOGUE: {
    meaning:
      'The catalogue of a node or of an entry `toolbench` cannot be read, has no such category, or is not the one that the retriever was trained on.',
    example: ['- toolbench: { url: "http://localhost:8080/virtual" }', '  catalogue: broken.jsonl'].join('\n'),
    fix: 'Correct the lines that the message names; `flow tools info broken.jsonl` reads the file too.',
  },
  TOOL_TWICE: {
    meaning: 'Two tools of one agent have the same name.',
    example: ['- {name: search, description: …, code: a.ts}', '- {name: search, description: …, code: b.ts}'].join(
      '\n',
    ),
    fix: 'Rename one of them: a model calls tools by their names.',
  },
  TOOL_LIMIT: {
    meaning: 'An agent has more than ten user programs. A warning: it goes on with the first ten.',
    example: 'tools: eleven.yaml',
    fix: 'Remove tools, or divide them among agents.',
  },
  ...evalCodes,
};
