package verdicts

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestProduct compares with a sum of logarithms, of factors down to the smallest number, where
// math.Log is wrong and math.Log2 is right.
func TestProduct(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		factors := rapid.SliceOfN(rapid.OneOf(rapid.Float64Range(0, 1),
			rapid.SampledFrom([]float64{1, 1e-24, 1e-26, 1e-300, 5e-324})), 40, 80).Draw(t, "factors")
		p := product{rest: 1}
		want := 0.0
		size := 1.0
		for i, f := range factors {
			times := 1 + i%7
			p.multiply(f, times)
			want += float64(times) * math.Log2(f) * math.Ln2
			size += float64(times) * math.Abs(math.Log2(f)*math.Ln2)
		}
		if got := p.log(); got != want && !(math.Abs(got-want) <= 1e-15*(size+float64(7*len(factors)))) {
			t.Fatalf("the logarithm is %v, want %v", got, want)
		}
		p.multiply(0, 1)
		if !math.IsInf(p.log(), -1) {
			t.Fatalf("the logarithm of zero is %v", p.log())
		}
	})
}

// aMixture are counts of draws of which three in ten have the second of three distributions, and
// the others the first.
func aMixture() *Counted {
	c := &Counted{
		Counts: []int{610, 270, 120},
		P:      [][]float64{{0.7, 0.3, 0}, {0.4, 0.2, 0.4}, {0.2, 0.1, 0.7}},
		Mean:   []float64{1.3 / 3, 0.6 / 3, 1.1 / 3},
	}
	for _, p := range c.P {
		c.Logs = append(c.Logs, LogLikelihood(c.Counts, p, 0))
	}
	return c
}

// TestUnlisted: draws of which a part has another distribution are likelier under what is on no
// list than under any distribution, by at least the term of that mixture, and at most as likely as
// under the shares of the cells themselves. A distribution that is apart has no part in a mixture.
func TestUnlisted(t *testing.T) {
	c := aMixture()
	most := 0.0
	least := 0.0
	for i, n := range c.Counts {
		most += float64(n) * math.Log(float64(n)/1000)
		least += float64(n) * math.Log(0.7*c.P[0][i]+0.3*c.P[1][i])
	}
	if got := c.part(0, 1, 0.3); !(math.Abs(got-least) < 1e-9*math.Abs(least)) {
		t.Errorf("the log probability of the mixture is %v, want %v", got, least)
	}
	least -= math.Log(3 * 2 * 5 * 3) // one of three parts, two ways, five shares and three distributions
	for _, leaders := range []int{0, Leaders} {
		u := c.Unlisted(leaders)
		if !(u.Log >= least && u.Log <= most) || !math.IsInf(u.Against[0], 1) || len(u.Against) != 1+leaders {
			t.Errorf("%d leaders: %+v, want a log probability of %v..%v", leaders, u, least, most)
		}
		for h, logE := range u.Against {
			if h > 0 && !(logE > 20) {
				t.Errorf("%d leaders: the log e-value against distribution %d is %v", leaders, h, logE)
			}
		}
	}
	together := c.logParts(0)
	c.Apart = 1
	if !(c.logParts(0) < together-5) || !math.IsInf(c.logParts(1), -1) {
		t.Errorf("a distribution that is apart has a part in %v, like one that is not in %v, and has %v",
			c.logParts(0), together, c.logParts(1))
	}
	if u := c.Unlisted(1); len(u.Against) != 3 { // it takes the place of no other leader
		t.Errorf("with a distribution that is apart the leaders are those of %v", u.Against)
	}
}

// TestUnlistedRightLaw: draws that follow a distribution exactly are less likely under what is on
// no list than under it, and more so with each draw.
func TestUnlistedRightLaw(t *testing.T) {
	last := 0.0
	for _, n := range []int{100, 10_000, 1_000_000} {
		c := aMixture()
		c.Counts = []int{4 * n / 10, 2 * n / 10, 4 * n / 10}
		for h, p := range c.P {
			c.Logs[h] = LogLikelihood(c.Counts, p, 0)
		}
		u := c.Unlisted(Leaders)
		if lead := c.Logs[1] - u.Log; !(lead > last) || !(u.Against[1] < 0) {
			t.Errorf("%d draws: it leads by %v, and by %v with fewer; the log e-value against it is %v",
				n, lead, last, u.Against[1])
		} else {
			last = lead
		}
	}
	if enough := (Lead{Others: last, Unknown: last}).Enough(EnoughLead); !enough {
		// though there are two other distributions only
		t.Errorf("it leads by %v", last)
	}
}
