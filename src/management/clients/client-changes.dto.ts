import { PartialType } from '@nestjs/swagger';
import { ClientDto } from './client.dto.js';

/** The body of `PATCH /clients/{id}`: what it leaves out stays as it is. */
export class ClientChangesDto extends PartialType(ClientDto, { skipNullProperties: false }) {}
