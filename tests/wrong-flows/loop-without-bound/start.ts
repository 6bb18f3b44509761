export default function start({ question }: { question: string }) {
  return { finished: false, query: question, function_results: [] };
}
