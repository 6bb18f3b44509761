import { functionNode } from '@unroll/nodes/functions';

export default functionNode({
  faq_search: ({ query }: { query: string }) => `nothing about ${query}`,
});
