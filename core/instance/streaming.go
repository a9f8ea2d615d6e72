package instance

import (
	"fmt"

	"rcmdplab/core/model"
)

var streaming = example("media-streaming", "Media streaming, 27 kernels",
	"Keep a player's buffer from running empty with little use of a fast server, whichever of 27 combinations of network speeds is true.",
	[]Parameter{
		{Name: "spread", Label: "How far each rate may be off", Default: 0.05, Min: 0, Max: 0.1},
		{Name: "fast", Label: "Largest share of time on the fast server", Default: 0.7, Min: 0.5, Max: 1},
	},
	func(q map[string]float64) *model.Problem {
		const room = 6
		states := append([]string{"empty"}, numbered("%d buffered", 1, room)...)
		p := draft("Media streaming", "A packet arrives with the rate of the chosen server and one is played with the rate of the player. Each of the three rates is low, as measured or high: 27 kernels, of which nature picks one for good.",
			0.95, states, []string{"slow server", "fast server"}, nil)
		p.Source = "Server rates 0.9 and 0.1 and playback rate 0.7 of the media streaming environment in Bura et al., DOPE: doubly optimistic and pessimistic exploration for safe reinforcement learning, 2022. The buffer is shorter here (6 packets); the spread of the rates is this page's."
		p.Initial[room/2] = 1
		p.Objective = model.Cost{Name: "empty buffer", Average: true, Values: while(p, func(s int) bool { return s == 0 })}
		p.Constraints = []model.Constraint{{
			Cost:  model.Cost{Name: "fast server", Average: true, Values: byAction(p, 0, 1)},
			Bound: q["fast"],
		}}
		p.Uncertainty.Kind = model.Finite
		word := []string{"low", "measured", "high"}
		for i := range 27 {
			f, l, o := i/9, i/3%3, i%3
			off := func(j int) float64 { return q["spread"] * float64(j-1) }
			rates, played := []float64{0.1 + off(l), 0.9 + off(f)}, 0.7+off(o)
			p.Uncertainty.Kernels = append(p.Uncertainty.Kernels, kernel(p, fmt.Sprintf("fast %s, slow %s, playback %s", word[f], word[l], word[o]),
				func(row []float64, s, a int) {
					in := rates[a]
					row[min(s+1, room)] += in * (1 - played)
					row[s] += in*played + (1-in)*(1-played)
					row[max(s-1, 0)] += (1 - in) * played
				}))
		}
		return p
	})
