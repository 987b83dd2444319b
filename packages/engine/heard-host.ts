import type { Host } from './backend.ts';
import type { Stall } from './stall.ts';

/** A host whose tools keep the silence from counting while they work. */
export function heardBy(stall: Stall, host: Host): Host {
  return {
    call: async call => {
      const name = `host ${call.id}`;
      stall.begin(name);
      try {
        return await host.call(call);
      } finally {
        stall.end(name);
      }
    },
    permit: call => host.permit(call),
  };
}
