package lanes

// advance is Advance in plain Go.
func advance(f, inverse, rise, back []float64) (total, change float64) {
	inverse, rise, back = inverse[:len(f)], rise[:len(f)], back[:len(f)]
	var z, zBack partial
	for start := 0; start < len(f); start += block {
		end := min(start+block, len(f))
		f, inverse, rise, back := f[start:end], inverse[start:end], rise[start:end], back[start:end]
		for lane := range Width {
			sum, sumBack := z[lane], zBack[lane]
			for x := lane; x < len(f); x += Width {
				b := back[x]
				v := f[x] + float64(f[x]*rise[x])
				f[x] = v
				inverse[x] += float64(inverse[x] * b)
				sum += v
				sumBack += float64(v * b)
			}
			z[lane], zBack[lane] = sum, sumBack
		}
	}
	return z.total(), zBack.total()
}

// rebase is Rebase in plain Go.
func rebase(u, a, f, centred, back []float64, r Change) (s Rebased) {
	a, f, centred, back = a[:len(u)], f[:len(u)], centred[:len(u)], back[:len(u)]
	var mean, meanW, meanA partial
	for start := 0; start < len(u); start += block {
		end := min(start+block, len(u))
		u, a, f, centred, back := u[start:end], a[start:end], f[start:end], centred[start:end], back[start:end]
		for lane := range Width {
			sum, sumW, sumA := mean[lane], meanW[lane], meanA[lane]
			for x := lane; x < len(u); x += Width {
				e := float64(back[x]*r.Factor) + r.Shift
				w := u[x] + (e + float64(u[x]*e))
				u[x] = w
				sumA += float64(float64(f[x]*e) * a[x])
				c := centred[x]
				a[x] += float64(r.Step * c)
				weighted := float64(f[x] * c)
				sum += weighted
				sumW += float64(weighted * w)
			}
			mean[lane], meanW[lane], meanA[lane] = sum, sumW, sumA
		}
	}
	return Rebased{mean.total(), meanW.total(), meanA.total()}
}
