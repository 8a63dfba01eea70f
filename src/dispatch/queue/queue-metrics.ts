import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Metrics } from '../../metrics/index.js';
import { DispatchQueue } from './dispatch-queue.js';

/** Measures the queue of dispatches of this process, each time that the metrics are read. */
@Injectable()
export class QueueMetrics {
  constructor({ registry }: Metrics, queue: DispatchQueue) {
    if (registry === undefined) return;
    const registers = [registry];
    new Gauge({
      name: 'fairlead_dispatch_waiting',
      help: 'Dispatches that wait for a transaction',
      registers,
      collect() {
        this.set(queue.load.waiting);
      },
    });
    new Gauge({
      name: 'fairlead_dispatch_transactions',
      help: 'Transactions of dispatches that are in progress, or wait for their part of the connections',
      registers,
      collect() {
        this.set(queue.load.transactions);
      },
    });
  }
}
