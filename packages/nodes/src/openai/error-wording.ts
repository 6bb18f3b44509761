/** What a failed call is to the one who runs the flow: the words of Prompt flow's `WrappedOpenAIError`. */
export function wording(className: string, text: string): string {
  const known = knownProblems.find(({ isMeant }) => isMeant(text));
  const advice = known === undefined ? `${text} ${reference}` : known.advice(text);
  return `OpenAI API hits ${className}: ${advice}`;
}

const reference = '[Error reference: https://platform.openai.com/docs/guides/error-codes/api-errors]';

interface KnownProblem {
  readonly isMeant: (text: string) => boolean;
  readonly advice: (text: string) => string;
}

const knownProblems: readonly KnownProblem[] = [
  {
    isMeant: (text) => text === '<empty message>',
    advice: () => 'The api key is invalid or revoked. You can correct or regenerate the api key of your connection.',
  },
  {
    isMeant: (text) => text.includes('Unrecognized request argument supplied: functions'),
    advice: () =>
      "Current model does not support the `functions` parameter. If you are using openai connection, then please use gpt-3.5-turbo, gpt-4, gpt-4-32k, gpt-3.5-turbo-0613 or gpt-4-0613. You can refer to https://platform.openai.com/docs/guides/gpt/function-calling. If you are using azure openai connection, then please first go to your Azure OpenAI resource, deploy model 'gpt-35-turbo' or 'gpt-4' with version 0613, then go to prompt flow connection page, upgrade connection api version to '2023-07-01-preview'. You can refer to https://learn.microsoft.com/en-us/azure/ai-services/openai/how-to/function-calling.",
  },
  {
    isMeant: (text) =>
      text.includes('The completion operation does not work with the specified model') ||
      (text.includes('parameters are not available') &&
        ['best_of', 'echo', 'logprobs'].some((name) => text.includes(name))),
    advice: () =>
      "The completion operation does not work with the current model. Completion API is a legacy api and is going to be deprecated soon. Please change to use Chat API for current model. You could refer to guideline at https://aka.ms/pfdoc/chat-prompt or view the samples in our gallery that contain 'Chat' in the name.",
  },
  {
    isMeant: (text) => text.includes('Invalid content type. image_url is only supported by certain models'),
    advice: () =>
      'Current model does not support the image input. If you are using openai connection, then please use gpt-4-vision-preview. You can refer to https://platform.openai.com/docs/guides/vision.If you are using azure openai connection, then please first go to your Azure OpenAI resource, create a GPT-4 Turbo with Vision deployment by selecting model name: "gpt-4" and model version "vision-preview". You can refer to https://learn.microsoft.com/en-us/azure/ai-services/openai/how-to/gpt-with-vision',
  },
  {
    isMeant: (text) =>
      (text.includes("'response_format' of type") && text.includes('is not supported with this model.')) ||
      (text.includes('Additional properties are not allowed') && text.includes("unexpected) - 'response_format'")),
    advice: () =>
      'The response_format parameter needs to be a dictionary such as {"type": "text"}. The value associated with the type key should be either \'text\' or \'json_object\' If you are using openai connection, you can only set response_format to { "type": "json_object" } when calling gpt-3.5-turbo-1106 or gpt-4-1106-preview to enable JSON mode. You can refer to https://platform.openai.com/docs/guides/text-generation/json-mode. If you are using azure openai connection, then please first go to your Azure OpenAI resource, deploy model \'gpt-35-turbo-1106\' or \'gpt-4-1106-preview\'. You can refer to https://learn.microsoft.com/en-us/azure/ai-services/openai/how-to/json-mode?tabs=python.',
  },
  {
    isMeant: (text) => text.includes('Principal does not have access to API/Operation'),
    advice: () =>
      'Principal does not have access to API/Operation. If you are using azure openai connection, please make sure you have proper role assignment on your azure openai resource. You can refer to https://learn.microsoft.com/en-us/azure/ai-services/openai/how-to/role-based-access-control',
  },
  {
    isMeant: (text) =>
      text.includes("messages with role 'tool' must be a response") ||
      text.includes("'tool_calls' must be followed by tool messages responding to each 'tool_call_id'"),
    advice: (text) =>
      `Please make sure your chat prompt includes 'tool_calls' within the 'assistant' role. Also, the assistant message must be followed by messages with role 'tool', matching ids of assistant message 'tool_calls' property. You could refer to guideline at https://aka.ms/pfdoc/chat-prompt. Original error: ${text}`,
  },
];
