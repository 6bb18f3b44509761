import { type ActionDocument, documentAction } from '@unroll/nodes/toolgen';
import { openApis } from './apis.ts';

/** What there is to know of an action, or that it does not exist. */
export default function document({ action }: { readonly action: string }): ActionDocument {
  return documentAction(action, openApis().byToken);
}
