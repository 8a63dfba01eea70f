import { ArrayMaxSize, ArrayNotEmpty, IsArray, IsIn, Matches } from 'class-validator';
import { WEEKDAYS, type Weekday, type WorkingHours } from '../user.js';

/** A block of working hours in the configuration file. */
export class WorkingHoursDto implements WorkingHours {
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(WEEKDAYS.length)
  @IsIn(WEEKDAYS, { each: true, message: `days must be among ${WEEKDAYS.join(', ')}` })
  days!: Weekday[];

  @Matches(/^([01]\d|2[0-3]):[0-5]\d$/, { message: 'start must be a time HH:MM from 00:00 to 23:59' })
  start!: string;

  @Matches(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, { message: 'end must be a time HH:MM from 00:00 to 24:00' })
  end!: string;
}
