/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Charts, by Chart.js. Colours come from the style sheet, so that they follow light and dark. */
import { $, bytes, energy, make, table, time } from './dom.js';

const Chart = globalThis.Chart;
const charts = {};

/** Colours of what time goes to: parts of a report, and the activities that come to them. */
const TONES = {
  io: 0, load: 0, read: 0,
  dram: 1, transfer: 1,
  compute: 2,
  fixed: 3, allocate: 3,
  link: 4, wait: 4, command: 4,
  send: 5,
  rank: 6,
  queue: 7,
};

function style(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function tone(name) {
  return name in TONES ? style('--tone-' + TONES[name]) : style('--text-3');
}

function draw(name, config, description) {
  charts[name]?.destroy();
  const canvas = $(name);
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', description);
  Chart.defaults.color = style('--text-2');
  Chart.defaults.borderColor = style('--line');
  Chart.defaults.font.family = style('--font');
  Chart.defaults.font.size = 12;
  charts[name] = new Chart(canvas, config);
}

/** Marks powers of 16 on a logarithmic axis of bytes. */
function markBytes(axis) {
  axis.ticks = [];
  for (let value = 1; value <= axis.max; value *= 16) {
    axis.ticks.push({ value });
  }
}

function options(scaleX, extra = {}) {
  return {
    indexAxis: 'y',
    animation: false,
    responsive: true,
    maintainAspectRatio: false,
    plugins: {
      legend: { display: extra.legend ?? true, position: 'bottom', labels: { boxWidth: 10, boxHeight: 10 } },
      tooltip: extra.tooltip ?? {},
    },
    scales: {
      x: scaleX,
      y: { stacked: extra.stacked ?? false, grid: { display: false }, ticks: { autoSkip: false } },
    },
  };
}

/** Draws what crossed the link, and what would have on its way to a host. */
export function drawBytes(work) {
  const link = work.bytes_to_device + work.bytes_from_device;
  const values = [work.bytes_to_device, work.bytes_from_device, work.host_bytes];
  const colours = [style('--device'), style('--device'), style('--stock')];
  draw(
    'bytes',
    {
      type: 'bar',
      data: {
        labels: ['plan, to device', 'result, to host', 'pages, to a host'],
        datasets: [{ data: values, backgroundColor: colours, barPercentage: 0.8 }],
      },
      options: options(
        {
          type: 'logarithmic',
          min: 1,
          afterBuildTicks: markBytes,
          ticks: { callback: (value) => bytes(value).replace(' bytes', ' B').replace('.0', ''), maxRotation: 0 },
        },
        { legend: false, tooltip: { callbacks: { label: (item) => bytes(item.raw) } } }),
    },
    `Bytes over the link: ${bytes(link)}; posting pages that a host would have read: ${bytes(work.host_bytes)}`);
}

function drawParts(cost) {
  const parts = Object.keys(cost.device.parts_ps)
    .filter((part) => cost.device.parts_ps[part] + cost.host.parts_ps[part] > 0);
  draw(
    'parts',
    {
      type: 'bar',
      data: {
        labels: ['device', 'host'],
        datasets: parts.map((part) => ({
          label: part,
          data: [cost.device.parts_ps[part], cost.host.parts_ps[part]],
          backgroundColor: tone(part),
          barPercentage: 0.9,
        })),
      },
      options: options(
        { stacked: true, ticks: { callback: time, maxTicksLimit: 6, maxRotation: 0 } },
        {
          stacked: true,
          tooltip: { callbacks: { label: (item) => `${item.dataset.label}: ${time(item.raw)}` } },
        }),
    },
    `Modelled time: device ${time(cost.device.elapsed_ps)}, host ${time(cost.host.elapsed_ps)}`);
}

function drawTime(found) {
  const lanes = [
    ...found.device.lanes.map((lane) => ({ ...lane, name: 'device: ' + lane.name })),
    ...found.host.lanes.map((lane) => ({ ...lane, name: 'host: ' + lane.name })),
  ];
  const kinds = [...new Set(lanes.flatMap((lane) => lane.bars.map((bar) => bar.what)))];
  $('time').parentElement.style.setProperty('--lanes', lanes.length);
  draw(
    'time',
    {
      type: 'bar',
      data: {
        labels: lanes.map((lane) => lane.name),
        datasets: kinds.map((kind) => ({
          label: kind,
          data: lanes.flatMap((lane) =>
            lane.bars
              .filter((bar) => bar.what === kind)
              .map((bar) => ({ x: [bar.from_ns, bar.to_ns], y: lane.name }))),
          backgroundColor: tone(kind),
          grouped: false,
          barPercentage: 0.8,
          categoryPercentage: 1,
          minBarLength: 1,
        })),
      },
      options: options(
        {
          min: 0,
          max: Math.max(found.device.elapsed_ns, found.host.elapsed_ns),
          ticks: { callback: (ns) => time(ns * 1000), maxTicksLimit: 6, maxRotation: 0 },
        },
        {
          tooltip: {
            callbacks: {
              label: ({ dataset, raw }) =>
                `${dataset.label}: ${time(raw.x[0] * 1000)} to ${time(raw.x[1] * 1000)}`,
            },
          },
        }),
    },
    'Time line of the device and the host, simulated; the table below has its sums');
}

function showCosts(cost) {
  const rows = [['time', time(cost.device.elapsed_ps), time(cost.host.elapsed_ps)]];
  for (const part of Object.keys(cost.device.parts_ps)) {
    rows.push(['time, ' + part, time(cost.device.parts_ps[part]), time(cost.host.parts_ps[part])]);
  }
  rows.push([
    'energy over idle',
    energy(cost.device.energy_over_idle_pj),
    energy(cost.host.energy_over_idle_pj),
  ]);
  for (const part of Object.keys(cost.device.active_pj)) {
    rows.push([
      'energy, ' + part.replaceAll('_', ' '),
      energy(cost.device.active_pj[part]),
      energy(cost.host.active_pj[part]),
    ]);
  }
  $('costs').replaceChildren(
    table(`Modelled on ${cost.profile}`, ['what', '>device', '>host'], rows));
}

/** Shows what the query takes on a modelled device. */
export function showModel(found) {
  $('model').hidden = found.unavailable !== undefined;
  if (found.unavailable !== undefined) {
    $('model-note').textContent = 'Nothing is modelled: ' + found.unavailable + '.';
    return;
  }
  const { cost } = found;
  const ratio = (value) => (value === undefined ? '–' : value.toFixed(2) + ' ×');
  $('model-note').replaceChildren(
    make('strong', { class: 'is-device' }, 'Device ' + time(cost.device.elapsed_ps)),
    `, ${energy(cost.device.energy_over_idle_pj)} · `,
    make('strong', { class: 'is-stock' }, 'host ' + time(cost.host.elapsed_ps)),
    `, ${energy(cost.host.energy_over_idle_pj)} · host / device: time ${ratio(cost.latency_ratio)}, `,
    `energy ${ratio(cost.energy_ratio)}`,
    found.lost > 0 ? ` · the time line lacks ${found.lost} records` : '');
  drawParts(cost);
  drawTime(found);
  showCosts(cost);
}
