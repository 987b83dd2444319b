const UNITS = ['KiB', 'MiB', 'GiB', 'TiB'];

/** A count of bytes in words: `12 bytes`, `1.5 MiB`. The same on every surface. */
export function byteSize(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  let value = bytes / 1024;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${Number(value.toFixed(1))} ${UNITS[unit] ?? ''}`;
}
