export { AbsencesCheck } from './absences.check.js';
export { nextChange } from './availability/next-change.js';
export type { ClockReader, LocalTime } from './availability/presence.js';
export { DirectoryModule } from './directory.module.js';
export { DirectoryRepository, type SomePeople } from './directory.repository.js';
export type { Directory } from './directory.js';
export {
  emailOf,
  READ_RENAMED,
  RENAMED_USERS,
  renamedUsers,
  storedNameOf,
  userNamed,
} from './directory.sql.js';
export { StoredNames } from './stored-names.js';
export { LIMIT_SPANS, type Team, type User } from './user.js';
export { TeamEntity } from './team.entity.js';
export { UserEntity } from './user.entity.js';
export { IsHolidays, TeamDto, UserDto } from './dto/directory.dto.js';
export { limitWindows, type LimitWindows } from './limits/limit-windows.js';
