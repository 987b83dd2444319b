/** What a plain response is made of: its text or bytes are there, whole. */
interface Plain {
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * A response that is there whole. It becomes one of Node's own only when somebody asks it something but its status: Node's
 * are loaded with all of its `fetch`, which a service would else load at every start.
 */
export class PlainResponse implements Response {
  readonly status: number;
  readonly #content: string | Uint8Array<ArrayBuffer>;
  readonly #headers: Readonly<Record<string, string>>;
  #full: Response | null = null;

  constructor(content: string | Uint8Array<ArrayBuffer>, { status = 200, headers }: Plain) {
    this.#content = content;
    this.status = status;
    this.#headers = headers;
  }

  /** What it is made of; `null` once somebody may have changed it. */
  get plain(): {
    readonly content: string | Uint8Array;
    readonly headers: Readonly<Record<string, string>>;
  } | null {
    return this.#full === null ? { content: this.#content, headers: this.#headers } : null;
  }

  get #web(): Response {
    this.#full ??= new Response(this.#content, { status: this.status, headers: { ...this.#headers } });
    return this.#full;
  }

  get headers(): Headers {
    return this.#web.headers;
  }
  get body(): Response['body'] {
    return this.#web.body;
  }
  get bodyUsed(): boolean {
    return this.#full?.bodyUsed ?? false;
  }
  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }
  get redirected(): boolean {
    return false;
  }
  get statusText(): string {
    return '';
  }
  get type(): Response['type'] {
    return 'default';
  }
  get url(): string {
    return '';
  }
  clone(): Response {
    return this.#web.clone();
  }
  arrayBuffer(): ReturnType<Response['arrayBuffer']> {
    return this.#web.arrayBuffer();
  }
  blob(): ReturnType<Response['blob']> {
    return this.#web.blob();
  }
  bytes(): ReturnType<Response['bytes']> {
    return this.#web.bytes();
  }
  formData(): ReturnType<Response['formData']> {
    return this.#web.formData();
  }
  json(): ReturnType<Response['json']> {
    return this.#web.json();
  }
  text(): Promise<string> {
    return this.#web.text();
  }
}
