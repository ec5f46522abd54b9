"""Three players who do anything that is legal, as agents of PettingZoo.

It needs ``pip install 'porto-cli[pettingzoo]'``.
"""

from porto_cli.research.pettingzoo import porto_v0


def play_a_game(seed: int = 7) -> dict[str, float]:
    """Play the game of a seed at random; return what each agent has won."""
    env = porto_v0.env(players=3, render_mode="ansi")
    env.reset(seed=seed)
    won: dict[str, float] = {}
    for nth, agent in enumerate(env.agents):
        env.action_space(agent).seed(seed + nth)
    table = None
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        if terminated or truncated:
            table = table or env.render()
            won[agent] = reward
            env.step(None)
        else:
            env.step(env.action_space(agent).sample(observation["action_mask"]))
    print(table)
    return won


if __name__ == "__main__":
    for agent, reward in play_a_game().items():
        print(f"{agent}: {reward}")
