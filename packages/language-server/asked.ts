import { ErrorCodes, ResponseError } from 'vscode-languageserver/node';

/*
 * What clients send is not held to its types before it comes here. A request that names no document, or no place in one,
 * is refused as such, instead of with whatever went wrong first.
 */

interface OfDocument {
  readonly textDocument: { readonly uri: string };
}

/** A handler that is only asked when the request names a document. */
export function ofDocument<P extends OfDocument, R>(
  handle: (params: P) => R,
): (params: P) => R | ResponseError {
  return params => (namesDocument(params) ? handle(params) : refused('params.textDocument.uri'));
}

/** A handler that is only asked when the request names a place in a document. */
export function atPlace<P extends OfDocument, R>(handle: (params: P) => R): (params: P) => R | ResponseError {
  return ofDocument(params => (namesPlace(params) ? handle(params) : refused('params.position')));
}

function refused(missing: string): ResponseError {
  return new ResponseError(ErrorCodes.InvalidParams, `The request names no \`${missing}\`: send it.`);
}

function namesDocument(params: unknown): boolean {
  return typeof field(field(params, 'textDocument'), 'uri') === 'string';
}

function namesPlace(params: unknown): boolean {
  const position = field(params, 'position');
  return typeof field(position, 'line') === 'number' && typeof field(position, 'character') === 'number';
}

function field(of: unknown, name: string): unknown {
  return typeof of === 'object' && of !== null && name in of
    ? (of as Readonly<Record<string, unknown>>)[name]
    : undefined;
}
