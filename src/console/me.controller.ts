import { Controller, Get } from '@nestjs/common';
import { SCOPES, type ClientContext } from '../auth/index.js';
import { Client, RequireScope } from '../auth/http.js';
import {
  ApiErrors,
  ApiOperation,
  ApiResponse,
  ApiTags,
  NoQueryParameters,
  reference,
} from '../http/index.js';
import { MeService } from './me.service.js';

const [FIRST, ...OTHERS] = SCOPES;

@ApiTags('Authentication')
@Controller('me')
export class MeController {
  constructor(private readonly me: MeService) {}

  /** Tells a caller who it is, and what it may do. */
  @Get()
  @RequireScope(FIRST, ...OTHERS)
  @NoQueryParameters()
  @ApiOperation({
    summary: 'Who sends this, and what they may do',
    operationId: 'readMe',
    description: 'The client of the token, or the member whose session it is. Any scope is enough.',
  })
  @ApiResponse({ status: 200, description: 'Done', schema: reference('Me') })
  @ApiErrors(400, 401, 403)
  read(@Client() client: ClientContext): ReturnType<MeService['describe']> {
    return this.me.describe(client);
  }
}
