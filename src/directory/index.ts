export { DirectoryModule } from './directory.module.js';
export { DirectoryRepository, type UserValues } from './directory.repository.js';
export type { Directory } from './directory.js';
export type { Team } from './team.js';
export type { User } from './user.js';
export type { UserEntity } from './user.entity.js';
export { IsHolidays } from './dto/holidays.decorator.js';
export { TeamDto } from './dto/team.dto.js';
export { UserDto } from './dto/user.dto.js';
