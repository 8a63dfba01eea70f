import { PartialType } from '@nestjs/mapped-types';
import { ClientDto } from './client.dto.js';

/** The body of `PATCH /clients/{id}`: what it leaves out stays as it is. */
export class ClientChangesDto extends PartialType(ClientDto, { skipNullProperties: false }) {}
