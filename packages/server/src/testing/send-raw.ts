import { connect } from 'node:net';

/** Sends a text as it is; what comes back until the server closes the connection. */
export function sendRaw(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let said = '';
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.setEncoding('utf8').on('data', (piece: string) => {
      said += piece;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(said));
  });
}
