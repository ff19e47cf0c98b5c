package models

import (
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/number"
)

// Conditional returns the law of z_i, which is axis i of the space, given the data and the clusters of all other data, as collapsed Gibbs
// sampling draws from it: cluster k has a probability proportional to
//
//	Pi_k prod_j N(y_ij; m_kj, v_k),
//
// where the mean and the variance of a new datum of the cluster follow from the n other data in it with the column sums S_kj: with
// r = st2/sn2, they are m_kj = r S_kj/(1 + n r) and v_k = sn2 (1 + r/(1 + n r)). What z itself has at axis i has no effect. It takes
// 2 N D + K D operations, and never forms the joint law.
func (m *Clustering) Conditional(axis int, z []int) []float64 {
	r, columns := m.CentreVariance/m.NoiseVariance, len(m.Y[0])
	n, sums := make([]float64, len(m.Pi)), make([]float64, len(m.Pi)*columns)
	for i, k := range z {
		if i == axis {
			continue
		}
		n[k]++
		for j, y := range m.Y[i] {
			sums[k*columns+j] += y
		}
	}
	logs, mean := make([]float64, len(m.Pi)), make([]float64, columns)
	for k, p := range m.Pi {
		for j := range mean {
			mean[j] = r * sums[k*columns+j] / (1 + n[k]*r)
		}
		logs[k] = number.Log(p) + logDensity(m.Y[axis], mean, m.NoiseVariance*(1+r/(1+n[k]*r)))
	}
	chains.Normalize(logs)
	return logs
}

// Conditional returns the probabilities of 0 and 1 of z_ik, which is axis iK + k of the space, given the data and all other attributes, as
// collapsed Gibbs sampling draws from them: they are proportional to
//
//	(1 - Pi_k or Pi_k) prod_j N(y_ij; m_j, v)
//
// with the value in row z_i, where the mean and the variance of a new datum with the attributes z_i follow from the other rows Z and Y: with
// r = sa2/sn2 and P = I/r + Z'Z, they are m = z_i' P^-1 Z'Y and v = sn2 (1 + z_i' P^-1 z_i). What z itself has at the axis has no
// effect. It takes some 10 N K^2 + 2 N K D operations, and never forms the joint law.
func (m *Binary) Conditional(axis int, z []int) []float64 {
	k := len(m.Pi)
	others := m.without(axis/k, z)
	attributes := slices.Clone(z[axis/k*k : axis/k*k+k])
	logs := make([]float64, 2)
	for v, p := range []float64{math.Log1p(-m.Pi[axis%k]), number.Log(m.Pi[axis%k])} {
		attributes[axis%k] = v
		mean, variance := others.predict(attributes)
		logs[v] = p + logDensity(m.Y[axis/k], mean, variance)
	}
	chains.Normalize(logs)
	return logs
}

// rowsBut is what all data but one say of a new datum, by the singular vectors of their attributes.
type rowsBut struct {
	noise, signal float64
	vectors       [][]float64 // unit vectors of length K, in which P is diagonal
	eigenvalues   []float64   // of Z'Z
	along         [][]float64 // the components of Z'Y in the vectors, a list of D each
}

// without returns what the data but datum i say.
func (m *Binary) without(i int, z []int) rowsBut {
	n, k := len(m.Y)-1, len(m.Pi)
	columns := len(m.Y[0])
	w := make([][]float64, k)
	for p := range w {
		w[p] = make([]float64, n+k)
		w[p][n+p] = 1
	}
	y := slices.Delete(slices.Clone(m.Y), i, i+1)
	for row, v := range slices.Delete(slices.Collect(slices.Chunk(z, k)), i, i+1) {
		for p := range w {
			w[p][row] = float64(v[p])
		}
	}
	orthogonalize(w, n)
	out := rowsBut{noise: m.NoiseVariance, signal: m.FeatureVariance / m.NoiseVariance}
	for _, v := range w {
		length, along := dot(v[:n], v[:n]), make([]float64, columns)
		if length >= nothing { // of what rounding has left of a vector there is no component
			for row, vi := range v[:n] {
				for j, yj := range y[row] {
					along[j] += vi * yj
				}
			}
		}
		out.vectors, out.eigenvalues, out.along = append(out.vectors, v[n:]), append(out.eigenvalues, length), append(out.along, along)
	}
	return out
}

// predict returns the mean of each column and the variance of a new datum with the given attributes.
func (o rowsBut) predict(attributes []int) (mean []float64, variance float64) {
	mean = make([]float64, len(o.along[0]))
	sum := 0.0
	for p, v := range o.vectors {
		component := 0.0
		for q, a := range attributes {
			component += v[q] * float64(a)
		}
		inverse := o.signal / (1 + o.eigenvalues[p]*o.signal) // of P
		sum += component * component * inverse
		for j, a := range o.along[p] {
			mean[j] += component * inverse * a
		}
	}
	return mean, o.noise * (1 + sum)
}

// logDensity returns log N(y; mean, variance I), without the term in log 2 pi.
func logDensity(y, mean []float64, variance float64) float64 {
	sum := 0.0
	for j, v := range y {
		sum += (v - mean[j]) * (v - mean[j])
	}
	return -float64(len(y))/2*number.Log(variance) - sum/(2*variance)
}

// Normals is a source of independent standard normal numbers, as *rand.Rand is.
type Normals interface {
	NormFloat64() float64
}

// Generative is a Model of a table of data that can be drawn anew, given its latent variables.
type Generative interface {
	Model
	// Rows returns the data, a row each. The caller must not change them.
	Rows() [][]float64
	// LogLikelihoodAt returns the log likelihood of the data given one state of the latent variables, in nats.
	LogLikelihoodAt(z int) float64
	// With returns the same model with other data, of which there are as many.
	With(y [][]float64) Generative
	// Simulate draws data given a state of the latent variables. The continuous parameters that Model integrates out are drawn from
	// their prior on the way.
	Simulate(z int, normals Normals) [][]float64
}

// Rows implements Generative.
func (m *Clustering) Rows() [][]float64 { return m.Y }

// With implements Generative.
func (m *Clustering) With(y [][]float64) Generative {
	other := *m
	other.Y = y
	return &other
}

// LogLikelihoodAt implements Generative.
func (m *Clustering) LogLikelihoodAt(z int) float64 {
	return m.gaussian().logLikelihoodAt(z, len(m.Pi), m.fits())
}

// Simulate implements Generative: it draws all centres, and then the data around them.
func (m *Clustering) Simulate(z int, normals Normals) [][]float64 {
	space, columns := m.Space(), len(m.Y[0])
	centres := normalTable(len(m.Pi), columns, m.CentreVariance, normals)
	y := normalTable(len(m.Y), columns, m.NoiseVariance, normals)
	for i, row := range y {
		for j, c := range centres[space.Coord(z, i)] {
			row[j] += c
		}
	}
	return y
}

// Rows implements Generative.
func (m *Binary) Rows() [][]float64 { return m.Y }

// With implements Generative.
func (m *Binary) With(y [][]float64) Generative {
	other := *m
	other.Y = y
	return &other
}

// LogLikelihoodAt implements Generative.
func (m *Binary) LogLikelihoodAt(z int) float64 {
	return m.gaussian().logLikelihoodAt(z, len(m.Pi), m.fits())
}

// Simulate implements Generative: it draws all features, and then the data around the sums of those that they have.
func (m *Binary) Simulate(z int, normals Normals) [][]float64 {
	space, columns, k := m.Space(), len(m.Y[0]), len(m.Pi)
	features := normalTable(k, columns, m.FeatureVariance, normals)
	y := normalTable(len(m.Y), columns, m.NoiseVariance, normals)
	for i, row := range y {
		for p, feature := range features {
			if space.Coord(z, i*k+p) == 0 {
				continue
			}
			for j, a := range feature {
				row[j] += a
			}
		}
	}
	return y
}

// logLikelihoodAt returns the log likelihood of one state with k components. The function writes its fit.
func (g Gaussian) logLikelihoodAt(x, k int, of func(x int, f *Fit)) float64 {
	f := NewFit(k)
	of(x, &f)
	return g.LogLikelihood(1, f)
}

// normalTable draws a table of independent normal numbers with mean zero.
func normalTable(rows, columns int, variance float64, normals Normals) [][]float64 {
	out := make([][]float64, rows)
	for i := range out {
		out[i] = make([]float64, columns)
		for j := range out[i] {
			out[i][j] = math.Sqrt(variance) * normals.NormFloat64()
		}
	}
	return out
}
