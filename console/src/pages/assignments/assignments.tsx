export { default } from '../later';
