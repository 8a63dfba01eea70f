import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { ClientContext } from '../../auth/index.js';
import { insufficientScope } from '../../auth/http.js';
import { isPlainObject } from '../../text/is-plain-object.js';

/**
 * Lets a token without the scope `manage` change one key, such as the availability of a user, and nothing
 * else (contract section 6). It stands on a route that such a token may use, and reads the body as it was
 * sent.
 */
export class OneKeyGuard implements CanActivate {
  constructor(private readonly key: string) {}

  /** @throws DomainError 403 that names `manage` */
  canActivate(context: ExecutionContext): true {
    const request = context
      .switchToHttp()
      .getRequest<{ readonly user: ClientContext; readonly body?: unknown }>();
    if (request.user.scopes.has('manage')) return true;
    const { body } = request;
    // What is no object is refused as such.
    if (isPlainObject(body) && Object.keys(body).join() !== this.key) throw insufficientScope('manage');
    return true;
  }
}
