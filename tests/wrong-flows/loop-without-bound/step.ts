export default function step({ state, message }: { state: object; message: string }) {
  return { ...state, finished: true, content: message };
}
