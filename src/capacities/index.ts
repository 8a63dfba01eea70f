export { CapacitiesModule } from './capacities.module.js';
export { CapacitiesRepository, type CapacityValues } from './capacities.repository.js';
export { CapacityEntity } from './capacity.entity.js';
export { CapacityDto } from './dto/capacity.dto.js';
