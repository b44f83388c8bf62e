/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Draws the plots of a report from the JSON beside them, with Chart.js. */
'use strict';

const COLORS = ['#1f6fb4', '#b0b0b0', '#e0913a', '#5a9e5a', '#8c6bb1', '#c05a7a', '#4aa3a3', '#7a6a4f'];
const PUBLISHED = '#b3261e';

/* Pictures are saved without transparency. */
const paper = {
  id: 'paper',
  beforeDraw(chart) {
    chart.ctx.save();
    chart.ctx.fillStyle = 'white';
    chart.ctx.fillRect(0, 0, chart.width, chart.height);
    chart.ctx.restore();
  },
};

/* Published points are filled as the modelled series that they are called after. */
function fill(series, index, plot) {
  const named = plot.series.filter((other) => !other.published && series.name.includes(other.name));
  const longest = named.sort((a, b) => b.name.length - a.name.length)[0];
  const at = series.published ? plot.series.indexOf(longest) : index;
  return at < 0 ? PUBLISHED : COLORS[at % COLORS.length];
}

function dataset(series, index, plot) {
  const numeric = plot.categories.length === 0;
  const color = fill(series, index, plot);
  const bars = series.mark === 'BARS' && !series.published;
  return {
    type: bars ? 'bar' : 'line',
    label: series.name,
    data: numeric ? series.y.map((y, i) => ({x: series.x[i], y})) : series.y,
    backgroundColor: color,
    borderColor: series.published ? PUBLISHED : color,
    borderWidth: bars ? 0 : 2,
    showLine: series.mark === 'LINE' && !series.published,
    spanGaps: true,
    pointStyle: series.published ? 'rectRot' : 'circle',
    pointRadius: series.published ? 7 : 3,
    order: series.published ? 0 : bars ? 2 : 1,
  };
}

function axis(of) {
  const text = [of.title, of.unit].filter((part) => part !== '').join(', ') + (of.log ? ' (log)' : '');
  return {type: of.log ? 'logarithmic' : 'linear', title: {display: true, text}};
}

function draw(plot, canvas) {
  const x = axis(plot.x);
  return new Chart(canvas, {
    type: 'bar',
    data: {labels: plot.categories, datasets: plot.series.map((s, i) => dataset(s, i, plot))},
    options: {
      animation: false,
      responsive: false,
      devicePixelRatio: 2,
      plugins: {title: {display: true, text: plot.title}, legend: {labels: {usePointStyle: true}}},
      scales: {
        x: plot.categories.length === 0 ? x : {type: 'category', title: x.title},
        y: {...axis(plot.y), beginAtZero: !plot.y.log},
      },
    },
    plugins: [paper],
  });
}

function button(text, click) {
  const made = document.createElement('button');
  made.textContent = text;
  made.addEventListener('click', click);
  return made;
}

for (const figure of document.querySelectorAll('figure')) {
  const plot = JSON.parse(figure.querySelector('script').textContent);
  const chart = draw(plot, figure.querySelector('canvas'));
  const table = figure.querySelector('.data');
  const caption = figure.querySelector('figcaption');
  caption.append(button('save the picture', () => {
    const link = document.createElement('a');
    link.href = chart.toBase64Image('image/png');
    link.download = plot.title.replace(/[^A-Za-z0-9]+/g, '-') + '.png';
    link.click();
  }));
  caption.append(button('show the data', () => {
    table.hidden = !table.hidden;
  }));
}
