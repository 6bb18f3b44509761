/**
 * A `Response` whose bytes are there already, and that may be read again and again. One of undici or Node puts them into a stream and takes
 * them out again, which costs more than the request.
 */
export class WholeResponse implements Response {
  readonly status: number;
  readonly headers: Headers;
  readonly statusText = '';
  readonly type = 'default';
  readonly url = '';
  readonly redirected = false;
  readonly #bytes: Uint8Array<ArrayBuffer>;
  #body: Response['body'] | undefined;

  constructor(bytes: Uint8Array<ArrayBuffer>, { status, headers }: Pick<Response, 'status' | 'headers'>) {
    this.#bytes = bytes;
    this.status = status;
    this.headers = headers;
  }

  get ok(): boolean {
    return this.status >= 200 && this.status <= 299;
  }

  get body(): Response['body'] {
    this.#body ??= new Blob([this.#bytes]).stream();
    return this.#body;
  }

  get bodyUsed(): boolean {
    return this.#body?.locked === true;
  }

  async text(): Promise<string> {
    return new TextDecoder().decode(this.#bytes);
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(this.#bytes);
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return new Uint8Array(this.#bytes).buffer;
  }

  async blob(): Promise<Blob> {
    return new Blob([this.#bytes], { type: this.headers.get('content-type') ?? '' });
  }

  formData(): Promise<FormData> {
    return new Response(this.#bytes, { headers: this.headers }).formData();
  }

  clone(): Response {
    return new WholeResponse(this.#bytes, this);
  }
}
