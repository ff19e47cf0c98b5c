// The arms that a bandit selects, one a line: node select.js own|sorted SEED. With sorted, a beta draw with whole parameters a and b is the
// a-th smallest of a + b - 1 uniform numbers.
const { Bandit } = require('bayesian-bandit')

let state = 2654435761 * (Number(process.argv[3]) + 1) >>> 0
function uniform () { // splitmix32, twice
  let bits = 0
  for (const scale of [2 ** 21, 1]) {
    state = state + 0x9e3779b9 >>> 0
    let z = state
    z = Math.imul(z ^ z >>> 16, 0x85ebca6b)
    z = Math.imul(z ^ z >>> 13, 0xc2b2ae35)
    z = (z ^ z >>> 16) >>> 0
    bits += scale === 1 ? z >>> 11 : z * scale
  }
  return (bits + 0.5) / 2 ** 53
}

const bandit = new Bandit({ arms: [{ count: 4, sum: 1 }, { count: 7, sum: 3 }, { count: 2, sum: 1 }] })
for (const arm of bandit.arms) {
  arm.random = uniform
  if (process.argv[2] === 'sorted') arm.rbeta = (a, b) => Array.from({ length: a + b - 1 }, uniform).sort((x, y) => x - y)[a - 1]
}
let written = 0
function more () {
  let rows = ''
  for (let i = 0; i < 1000; i++) rows += bandit.selectArm() + '\n'
  written += 1000
  if (written < 1e6) process.stdout.write(rows, more)
}
process.stdout.on('error', () => process.exit())
more()
