/** Files of a flow that talks: one model with the history of the chat and a tone, at the given address. */
export function chatFlow(url: string, moreOutputs = ''): Readonly<Record<string, string>> {
  return {
    'chat/flow.dag.yaml': `inputs:
  chat_history: {type: list, is_chat_history: true, default: []}
  question: {type: string, is_chat_input: true}
  tone: {type: string, default: kind}
outputs:
  answer: {type: string, is_chat_output: true, reference: "\${ask.output}"}
${moreOutputs}nodes:
- name: ask
  type: llm
  source: {type: code, path: ask.jinja2}
  connection: mine
  api: chat
  inputs: {model: m, question: "\${inputs.question}", chat_history: "\${inputs.chat_history}", tone: "\${inputs.tone}"}
`,
    'chat/ask.jinja2': `system:
Be {{ tone }}.
{% for turn in chat_history %}
user:
{{ turn.inputs.question }}
assistant:
{{ turn.outputs.answer }}
{% endfor %}
user:
{{ question }}
`,
    'connections.yaml': `mine: {type: open_ai, api_key: k, base_url: "${url}/v1"}\n`,
  };
}
