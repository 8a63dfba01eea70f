import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { Service } from 'kubernetes-models/v1/Service';

/** The kinds of objects that the project has. */
const KINDS: Readonly<Record<string, new (data?: any) => { validate(): void }>> = {
  'apps/v1 Deployment': Deployment,
  'batch/v1 Job': Job,
  'networking.k8s.io/v1 NetworkPolicy': NetworkPolicy,
  'policy/v1 PodDisruptionBudget': PodDisruptionBudget,
  'v1 Service': Service,
};

/** Returns what an object violates of the schema of its kind; undefined where that is nothing. */
export function kubernetesProblem(object: { apiVersion: string; kind: string }): string | undefined {
  const Model = KINDS[`${object.apiVersion} ${object.kind}`];
  if (Model === undefined) return `${object.apiVersion} ${object.kind} is not known`;
  try {
    new Model(object).validate();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
