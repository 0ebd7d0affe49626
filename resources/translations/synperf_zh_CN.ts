<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>Adopting</name>
    <message>
        <source>model %1</source>
        <translation>模型 %1</translation>
    </message>
</context>
<context>
    <name>Batch</name>
    <message>
        <source>Predicted (µs)</source>
        <translation>预测 (µs)</translation>
    </message>
    <message>
        <source>Lower (µs)</source>
        <translation>区间下端 (µs)</translation>
    </message>
    <message>
        <source>Upper (µs)</source>
        <translation>区间上端 (µs)</translation>
    </message>
    <message>
        <source>Best of peers, P80 (µs)</source>
        <translation>同类最佳，P80 (µs)</translation>
    </message>
    <message>
        <source>Ceiling (µs)</source>
        <translation>上限 (µs)</translation>
    </message>
    <message>
        <source>Bound by</source>
        <translation>受限于</translation>
    </message>
    <message>
        <source>Confidence</source>
        <translation>可信度</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Error (%)</source>
        <translation>误差 (%)</translation>
    </message>
</context>
<context>
    <name>CommandLine</name>
    <message>
        <source>it works once &quot;Save this GPU among mine&quot; has saved %1, which no spec file holds yet</source>
        <translation>%1 尚无规格文件，先用“把此 GPU 存为我的”保存，命令行才可用</translation>
    </message>
    <message>
        <source>it can not say that %1 is unknown: save the GPU first and copy again</source>
        <translation>它无法表示 %1 未知：请先保存该 GPU 再复制</translation>
    </message>
    <message>
        <source>%1 among the saved GPUs has another %2: save this one first and copy again</source>
        <translation>已保存的 GPU %1 的 %2 不同：请先保存此 GPU 再复制</translation>
    </message>
</context>
<context>
    <name>CompareLine</name>
    <message>
        <source>It works only once %1 is saved among your GPUs.</source>
        <translation>要在 %1 存为您的 GPU 之后才可用。</translation>
    </message>
    <message>
        <source>%1 is written without its changes: %2, which it was edited from, is no longer among the GPUs.</source>
        <translation>%1 写出时不含其改动：它所基于的 %2 已不在 GPU 之中。</translation>
    </message>
    <message>
        <source>It can not say that %1 of %2 is unknown.</source>
        <translation>它无法表示 %2 的 %1 未知。</translation>
    </message>
    <message>
        <source>%1 among the saved GPUs has another %2.</source>
        <translation>已保存的 %1 的%2不同。</translation>
    </message>
    <message>
        <source>%1 would be named twice: remove it, or change one of its values.</source>
        <translation>%1 会被写两次：请移除它，或改变它的一个值。</translation>
    </message>
    <message>
        <source>The design change is left out: %1 GPUs are the most that are compared.</source>
        <translation>设计改变未写出：最多对比 %1 个 GPU。</translation>
    </message>
</context>
<context>
    <name>CostReport</name>
    <message>
        <source>cannot be written: %1</source>
        <translation>无法写入：%1</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>Latency</source>
        <translation>延迟</translation>
    </message>
    <message>
        <source>90 % interval</source>
        <translation>90 % 区间</translation>
    </message>
    <message>
        <source>Cost per query</source>
        <translation>每次查询成本</translation>
    </message>
    <message>
        <source>low</source>
        <translation>低</translation>
    </message>
    <message>
        <source>high</source>
        <translation>高</translation>
    </message>
    <message>
        <source>1M in</source>
        <translation>每百万输入</translation>
    </message>
    <message>
        <source>1M out</source>
        <translation>每百万输出</translation>
    </message>
    <message>
        <source>Energy</source>
        <translation>能耗</translation>
    </message>
    <message>
        <source>Queries per GPU-hour</source>
        <translation>每 GPU 小时查询数</translation>
    </message>
    <message>
        <source>per %1</source>
        <translation>每 %1</translation>
    </message>
    <message>
        <source>%1 Wh</source>
        <translation>%1 Wh</translation>
    </message>
    <message>
        <source>price %1 a GPU-hour, %2, %3</source>
        <translation>价格每 GPU 小时 %1，%2，%3</translation>
    </message>
    <message>
        <source>date unknown</source>
        <translation>日期未知</translation>
    </message>
    <message>
        <source>Plans and prices</source>
        <translation>方案与价格</translation>
    </message>
    <message>
        <source>Cost of a query = price of a GPU-hour x seconds x GPUs / (3600 x queries at a time).</source>
        <translation>每次查询成本 = GPU 小时价格 x 秒数 x GPU 数 /（3600 x 同时查询数）。</translation>
    </message>
    <message>
        <source>no page was drawn</source>
        <translation>没有画出页面</translation>
    </message>
    <message>
        <source>should end in .html, .pdf or .csv</source>
        <translation>应以 .html、.pdf 或 .csv 结尾</translation>
    </message>
</context>
<context>
    <name>CostText</name>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>which is less than their ranges of price and latency: not distinguishable</source>
        <translation>小于二者价格与延迟的范围：无法区分</translation>
    </message>
    <message>
        <source>which is more than their ranges of price and latency</source>
        <translation>大于二者价格与延迟的范围</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 至 %2</translation>
    </message>
    <message>
        <source>on demand</source>
        <translation>按需</translation>
    </message>
    <message>
        <source>spot</source>
        <translation>竞价</translation>
    </message>
    <message>
        <source>reserved</source>
        <translation>预留</translation>
    </message>
    <message>
        <source>bought</source>
        <translation>购买</translation>
    </message>
    <message>
        <source>does not fit</source>
        <translation>放不下</translation>
    </message>
    <message>
        <source>misses TTFT</source>
        <translation>TTFT 超限</translation>
    </message>
    <message>
        <source>misses TPOT</source>
        <translation>TPOT 超限</translation>
    </message>
    <message>
        <source>no price</source>
        <translation>无价格</translation>
    </message>
    <message>
        <source>No candidate fits, has a price and meets the limits; the reasons stand in the table.</source>
        <translation>没有候选放得下、有价格且满足限制；原因见表格。</translation>
    </message>
    <message>
        <source>%1 costs least per query, %2.</source>
        <translation>%1 每次查询成本最低，%2。</translation>
    </message>
    <message>
        <source>It stands alone: there is nothing to compare it with.</source>
        <translation>只有它一个：没有可比较的对象。</translation>
    </message>
    <message>
        <source>%1 answers %2 % sooner for %3 % more, %4.</source>
        <translation>%1 快 %2 %，贵 %3 %，%4。</translation>
    </message>
    <message>
        <source>No other answers sooner.</source>
        <translation>没有更快的。</translation>
    </message>
    <message>
        <source>%1 is second at %2 % more, %3; it takes %4.</source>
        <translation>%1 第二，贵 %2 %，%3；需 %4。</translation>
    </message>
    <message>
        <source>Buying %1 never pays back: renting costs less than its power.</source>
        <translation>购买 %1 永不回本：租用比其电费便宜。</translation>
    </message>
    <message>
        <source>Buying pays back against renting %1 after %2 months at %3 % use.</source>
        <translation>与租用相比，购买 %1 在 %3 % 使用率下 %2 个月回本。</translation>
    </message>
    <message>
        <source>Buying %1 pays back after %2 months at %3 % use, which is more than its life.</source>
        <translation>购买 %1 在 %3 % 使用率下 %2 个月回本，超过其寿命。</translation>
    </message>
    <message>
        <source>Prices: %1 entries</source>
        <translation>价格：%1 条</translation>
    </message>
    <message>
        <source>oldest %1 months</source>
        <translation>最旧 %1 个月</translation>
    </message>
    <message>
        <source>%1 of unknown date</source>
        <translation>%1 条日期未知</translation>
    </message>
    <message>
        <source>%1, %2 in, %3 out, %4 at a time</source>
        <translation>%1，输入 %2，输出 %3，同时 %4</translation>
    </message>
    <message>
        <source>TTFT at most %1</source>
        <translation>TTFT 不超过 %1</translation>
    </message>
    <message>
        <source>TPOT at most %1</source>
        <translation>TPOT 不超过 %1</translation>
    </message>
    <message>
        <source>no limits of latency</source>
        <translation>无延迟限制</translation>
    </message>
    <message>
        <source>at most %1 GPUs</source>
        <translation>最多 %1 个 GPU</translation>
    </message>
    <message>
        <source>%1; %2; %3 prices, %4</source>
        <translation>%1；%2；%3价格，%4</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between the parts of a list</comment>
        <translation>，</translation>
    </message>
</context>
<context>
    <name>Export</name>
    <message>
        <source>cannot be written: %1</source>
        <translation>无法写入：%1</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Save %1</source>
        <translation>保存%1</translation>
    </message>
    <message>
        <source>PNG picture (*.png)</source>
        <translation>PNG 图片 (*.png)</translation>
    </message>
    <message>
        <source>SVG picture (*.svg)</source>
        <translation>SVG 图片 (*.svg)</translation>
    </message>
    <message>
        <source>CSV table (*.csv)</source>
        <translation>CSV 表格 (*.csv)</translation>
    </message>
    <message>
        <source>Chrome trace (*.json)</source>
        <translation>Chrome trace (*.json)</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>Writing %1</source>
        <translation>正在写入 %1</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>the table has %1 rows; at most %2 are written. Export a smaller problem</source>
        <translation>表格有 %1 行，最多写入 %2 行。请导出较小的问题</translation>
    </message>
</context>
<context>
    <name>Models</name>
    <message>
        <source>Models in use</source>
        <translation>在用的模型</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Measured rows</source>
        <translation>实测行数</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPU 数</translation>
    </message>
    <message>
        <source>Trained</source>
        <translation>训练日期</translation>
    </message>
    <message>
        <source>Held-back error (%)</source>
        <translation>留出误差 (%)</translation>
    </message>
    <message>
        <source>From</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>this session</source>
        <translation>本次会话</translation>
    </message>
    <message>
        <source>my models</source>
        <translation>我的模型</translation>
    </message>
    <message>
        <source>shipped</source>
        <translation>自带</translation>
    </message>
    <message>
        <source>Errors of %1 on GPUs left out</source>
        <translation>%1 在未参与训练的 GPU 上的误差</translation>
    </message>
    <message>
        <source>GPU left out</source>
        <translation>留出的 GPU</translation>
    </message>
    <message>
        <source>A sibling is known</source>
        <translation>已知同类</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>行数</translation>
    </message>
    <message>
        <source>Mean (%)</source>
        <translation>均值 (%)</translation>
    </message>
    <message>
        <source>Median (%)</source>
        <translation>中位数 (%)</translation>
    </message>
    <message>
        <source>Analysis (%)</source>
        <translation>仅分析 (%)</translation>
    </message>
    <message>
        <source>Inside the interval (%)</source>
        <translation>落在区间内 (%)</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>%1 networks of %2 features, trained on %3 GPUs: %4</source>
        <translation>%1 个网络，%2 个特征，在 %3 种 GPU 上训练：%4</translation>
    </message>
    <message>
        <source>Data: %1</source>
        <translation>数据：%1</translation>
    </message>
    <message>
        <source>Share of the correction that is applied: %1 on these GPUs, %2 on their siblings, %3 elsewhere</source>
        <translation>修正采用的比例：这些 GPU 上 %1，同类 GPU 上 %2，其他 %3</translation>
    </message>
    <message>
        <source>Made by: %1</source>
        <translation>生成方式：%1</translation>
    </message>
    <message>
        <source>File: %1</source>
        <translation>文件：%1</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>New model and model in use, %1</source>
        <translation>新模型与在用模型，%1</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Mean, new (%)</source>
        <translation>均值，新 (%)</translation>
    </message>
    <message>
        <source>in use (%)</source>
        <translation>在用 (%)</translation>
    </message>
    <message>
        <source>Median, new (%)</source>
        <translation>中位数，新 (%)</translation>
    </message>
    <message>
        <source>p90, new (%)</source>
        <translation>p90，新 (%)</translation>
    </message>
    <message>
        <source>Inside 90 %, new (%)</source>
        <translation>90 % 区间内，新 (%)</translation>
    </message>
    <message>
        <source>Slower than P80, new (%)</source>
        <translation>慢于 P80，新 (%)</translation>
    </message>
    <message>
        <source>Error, new (%)</source>
        <translation>误差，新 (%)</translation>
    </message>
    <message>
        <source>Error, in use (%)</source>
        <translation>误差，在用 (%)</translation>
    </message>
    <message>
        <source>Measured (µs)</source>
        <translation>实测 (µs)</translation>
    </message>
    <message>
        <source>New (µs)</source>
        <translation>新模型 (µs)</translation>
    </message>
    <message>
        <source>In use (µs)</source>
        <translation>在用 (µs)</translation>
    </message>
</context>
<context>
    <name>Nearest</name>
    <message>
        <source>Distance</source>
        <translation>距离</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Measured (µs)</source>
        <translation>实测 (µs)</translation>
    </message>
</context>
<context>
    <name>Progress</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>Steps</name>
    <message>
        <source>stand-in: %1</source>
        <translation>代替：%1</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>调用次数</translation>
    </message>
    <message>
        <source>Each (µs)</source>
        <translation>每次 (µs)</translation>
    </message>
    <message>
        <source>All (ms)</source>
        <translation>合计 (ms)</translation>
    </message>
    <message>
        <source>Lower (ms)</source>
        <translation>下限 (ms)</translation>
    </message>
    <message>
        <source>Upper (ms)</source>
        <translation>上限 (ms)</translation>
    </message>
    <message>
        <source>Share (%)</source>
        <translation>占比 (%)</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>Confidence</source>
        <translation>可信度</translation>
    </message>
    <message>
        <source>Remark</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 至 %2</translation>
    </message>
    <message>
        <source>Nothing to show until a plan fits</source>
        <translation>有方案放得下后才会显示</translation>
    </message>
</context>
<context>
    <name>Tables</name>
    <message>
        <source>CTAs</source>
        <translation>CTA</translation>
    </message>
    <message>
        <source>Phase</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>CTA</source>
        <translation>CTA</translation>
    </message>
    <message>
        <source>Works on</source>
        <translation>处理对象</translation>
    </message>
    <message>
        <source>SM</source>
        <translation>SM</translation>
    </message>
    <message>
        <source>Slot</source>
        <translation>槽位</translation>
    </message>
    <message>
        <source>Wave</source>
        <translation>波</translation>
    </message>
    <message>
        <source>Start (µs)</source>
        <translation>开始 (µs)</translation>
    </message>
    <message>
        <source>End (µs)</source>
        <translation>结束 (µs)</translation>
    </message>
    <message>
        <source>Length (µs)</source>
        <translation>时长 (µs)</translation>
    </message>
    <message>
        <source>Start (cycles)</source>
        <translation>开始（周期）</translation>
    </message>
    <message>
        <source>End (cycles)</source>
        <translation>结束（周期）</translation>
    </message>
    <message>
        <source>Pipes by SM</source>
        <translation>各 SM 的流水线</translation>
    </message>
    <message>
        <source>%1, busy share</source>
        <translation>%1，忙碌占比</translation>
    </message>
    <message>
        <source>%1 pipe over time</source>
        <translation>%1 流水线随时间</translation>
    </message>
    <message>
        <source>from %1 µs</source>
        <translation>自 %1 µs</translation>
    </message>
</context>
<context>
    <name>TypedNumber</name>
    <message>
        <source>&quot;%1&quot;: does &quot;%2&quot; stand between thousands? Write the number without it, with &quot;%3&quot; before decimals</source>
        <translation>“%1”：“%2”是千位分隔吗？请不写它，小数前用“%3”</translation>
    </message>
    <message>
        <source>&quot;%1&quot;: write it without anything between thousands, with &quot;%2&quot; before decimals</source>
        <translation>“%1”：千位之间请不写任何符号，小数前用“%2”</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a number</source>
        <translation>“%1”不是数</translation>
    </message>
</context>
<context>
    <name>Words</name>
    <message>
        <source>task %1</source>
        <translation>任务 %1</translation>
    </message>
    <message>
        <source>CTA %1</source>
        <translation>CTA %1</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1 cycles</source>
        <translation>%1 周期</translation>
    </message>
    <message>
        <source>cycles</source>
        <translation>周期</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>FMA</source>
        <translation>FMA</translation>
    </message>
    <message>
        <source>XU</source>
        <translation>XU</translation>
    </message>
    <message>
        <source>Shared</source>
        <translation>共享</translation>
    </message>
    <message>
        <source>L2</source>
        <translation>L2</translation>
    </message>
    <message>
        <source>DRAM</source>
        <translation>DRAM</translation>
    </message>
    <message>
        <source>%1 tasks on %2 SMs</source>
        <translation>%2 个 SM 上 %1 个任务</translation>
    </message>
    <message>
        <source>%1 CTAs on %2 SMs</source>
        <translation>%2 个 SM 上 %1 个 CTA</translation>
    </message>
    <message>
        <source>, %1 waves</source>
        <translation>，%1 波</translation>
    </message>
    <message>
        <source>, tail %1 of %2</source>
        <translation>，尾波 %1 / %2</translation>
    </message>
</context>
<context>
    <name>core</name>
    <message>
        <source>Whose layer calls the library. Learned models tell them apart, and SGLang&apos;s packs the scales of fp8 blocks on sm100; auto is the one whose format it is most.</source>
        <translation>由谁的层调用该库。学习模型区分它们，而 SGLang 的层在 sm100 上要打包 fp8 块的缩放因子；auto 取最常使用该格式的框架。</translation>
    </message>
    <message>
        <source>Whose layer it is. Only learned models tell them apart; auto is the backend&apos;s own.</source>
        <translation>属于哪个框架的层。只有学习模型区分它们；auto 取后端自己的框架。</translation>
    </message>
    <message>
        <source>Measured kernels are faster</source>
        <translation>实测内核更快</translation>
    </message>
    <message>
        <source>Measured kernels are slower</source>
        <translation>实测内核更慢</translation>
    </message>
    <message>
        <source>What the learned model adds to the analysis.</source>
        <translation>学习模型在分析之上的修正。</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Tile</source>
        <translation>分块</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Requests</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Parallelism</source>
        <translation>并行</translation>
    </message>
    <message>
        <source>Routing</source>
        <translation>路由</translation>
    </message>
    <message>
        <source>Quantisation</source>
        <translation>量化</translation>
    </message>
    <message>
        <source>rows</source>
        <translation>行</translation>
    </message>
    <message>
        <source>columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>elements</source>
        <translation>元素</translation>
    </message>
    <message>
        <source>products</source>
        <translation>个乘积</translation>
    </message>
    <message>
        <source>requests</source>
        <translation>个请求</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>token</translation>
    </message>
    <message>
        <source>heads</source>
        <translation>头</translation>
    </message>
    <message>
        <source>experts</source>
        <translation>个专家</translation>
    </message>
    <message>
        <source>ranks</source>
        <translation>个 rank</translation>
    </message>
    <message>
        <source>warps</source>
        <translation>个 warp</translation>
    </message>
    <message>
        <source>Dense matrix product as cuBLAS and CUTLASS run it, plain, scaled or batched.</source>
        <translation>按 cuBLAS 与 CUTLASS 的方式执行的稠密矩阵乘，可带缩放或成批。</translation>
    </message>
    <message>
        <source>Rows of A and C: the tokens of a batch.</source>
        <translation>A 与 C 的行数：一个批次的 token 数。</translation>
    </message>
    <message>
        <source>Columns of B and C: the output features.</source>
        <translation>B 与 C 的列数：输出特征数。</translation>
    </message>
    <message>
        <source>Columns of A and rows of B: the sum&apos;s length.</source>
        <translation>A 的列数与 B 的行数：求和长度。</translation>
    </message>
    <message>
        <source>Independent products of this shape in one launch.</source>
        <translation>一次启动中同形状的独立乘积个数。</translation>
    </message>
    <message>
        <source>Format of A and B. fp32 runs on the FMA pipe, all others on the tensor pipe.</source>
        <translation>A 与 B 的格式。fp32 在 FMA 管线上执行，其余在张量管线上执行。</translation>
    </message>
    <message>
        <source>Kernel that quantises A from 16 bit first; none: A comes quantised. Formats without scales need none.</source>
        <translation>先把 A 从 16 位量化的内核；none 表示 A 已量化。没有缩放因子的格式不需要。</translation>
    </message>
    <message>
        <source>Kernel generation; auto takes the GPU&apos;s own.</source>
        <translation>内核世代；auto 取该 GPU 自身的世代。</translation>
    </message>
    <message>
        <source>Rows of C that one CTA computes; 0 tries the library&apos;s tiles and takes the fastest.</source>
        <translation>一个 CTA 计算的 C 的行数；0 表示尝试库中的分块并取最快者。</translation>
    </message>
    <message>
        <source>Columns of C that one CTA computes; 0 is automatic.</source>
        <translation>一个 CTA 计算的 C 的列数；0 为自动。</translation>
    </message>
    <message>
        <source>Depth of one main-loop step; 0 is automatic.</source>
        <translation>主循环每步的深度；0 为自动。</translation>
    </message>
    <message>
        <source>Main-loop steps in flight in shared memory; 0 is as many as fit, at most the library&apos;s.</source>
        <translation>共享内存中同时进行的主循环步数；0 表示能放下多少就用多少，至多为库的上限。</translation>
    </message>
    <message>
        <source>Slices of k computed by different CTAs and summed by a second kernel; 0 is automatic.</source>
        <translation>由不同 CTA 计算并由第二个内核求和的 k 切片数；0 为自动。</translation>
    </message>
    <message>
        <source>Grid size where a profile gave it; 0 derives it from the tile.</source>
        <translation>若性能分析给出了网格大小则填入；0 表示由分块推出。</translation>
    </message>
    <message>
        <source>Different weights that take turns, as a model&apos;s layers do: B is in L2 only if all of them fit.</source>
        <translation>像模型各层那样轮流使用的不同权重数：只有全部放得下时 B 才留在 L2 中。</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>FlashAttention-2 and -3 and their kin, prefill and decode, for requests of any lengths.</source>
        <translation>FlashAttention-2、-3 及同类内核，预填充与解码，请求长度任意。</translation>
    </message>
    <message>
        <source>Equal requests of q_len new and kv_len total tokens; ignored where q_lengths is given.</source>
        <translation>相同请求的个数，每个有 q_len 个新 token、共 kv_len 个；给出 q_lengths 时忽略。</translation>
    </message>
    <message>
        <source>New tokens of each request: the prompt in prefill, 1 in decode.</source>
        <translation>每个请求的新 token 数：预填充时为提示词，解码时为 1。</translation>
    </message>
    <message>
        <source>All tokens each request attends to, the new ones included; at least q_len.</source>
        <translation>每个请求关注的全部 token 数，含新 token；不少于 q_len。</translation>
    </message>
    <message>
        <source>New tokens of each request where they differ: 4096,7x31 is one of 4096 and 31 of 7.</source>
        <translation>各请求新 token 数不同时逐个给出：4096,7x31 表示一个 4096 和 31 个 7。</translation>
    </message>
    <message>
        <source>All tokens of each request, as many entries as q_lengths; empty: no more than the new ones.</source>
        <translation>各请求的全部 token 数，条目数与 q_lengths 相同；留空则只有新的 token。</translation>
    </message>
    <message>
        <source>Query heads on this GPU.</source>
        <translation>此 GPU 上的查询头数。</translation>
    </message>
    <message>
        <source>Key and value heads on this GPU; num_heads must be a multiple.</source>
        <translation>此 GPU 上的键值头数；num_heads 必须是其倍数。</translation>
    </message>
    <message>
        <source>Elements of one head; padded to the next size that kernels exist for.</source>
        <translation>每个头的元素数；补齐到有内核支持的下一个大小。</translation>
    </message>
    <message>
        <source>Elements of a value head where it differs, as in MLA: 128 beside 192, 512 beside 576; 0 is head_dim.</source>
        <translation>值头的元素数，与键头不同时给出，如 MLA：192 配 128，576 配 512；0 与 head_dim 相同。</translation>
    </message>
    <message>
        <source>A token sees only itself and what came before.</source>
        <translation>每个 token 只能看到自己与之前的内容。</translation>
    </message>
    <message>
        <source>Newest keys a query sees; 0 is all.</source>
        <translation>查询能看到的最近的键数；0 为全部。</translation>
    </message>
    <message>
        <source>Format of the products.</source>
        <translation>乘积的格式。</translation>
    </message>
    <message>
        <source>Format of the KV cache; auto is dtype.</source>
        <translation>KV 缓存的格式；auto 与 dtype 相同。</translation>
    </message>
    <message>
        <source>Count the layer&apos;s other kernels too: writing the new keys and values into the cache, casts, scheduling metadata.</source>
        <translation>也计入该层的其他内核：把新的键值写入缓存、类型转换、调度元数据。</translation>
    </message>
    <message>
        <source>Whose layer it is where kv_write is set.</source>
        <translation>设置 kv_write 时，按哪个框架的层计算。</translation>
    </message>
    <message>
        <source>auto: FlashAttention-3 on Hopper, the CUTLASS kernel on data-centre Blackwell, CK on AMD, else FlashAttention-2.</source>
        <translation>auto：Hopper 用 FlashAttention-3，数据中心 Blackwell 用 CUTLASS 内核，AMD 用 CK，其余用 FlashAttention-2。</translation>
    </message>
    <message>
        <source>Tokens of a KV-cache page; 0 is contiguous.</source>
        <translation>KV 缓存每页的 token 数；0 表示连续。</translation>
    </message>
    <message>
        <source>Query heads of one KV head as rows of one tile; auto is the kernel&apos;s choice.</source>
        <translation>把同一 KV 头的查询头并作一个分块的行；auto 由内核决定。</translation>
    </message>
    <message>
        <source>Keys of one CTA when the KV length is split; 0 is the library&apos;s choice.</source>
        <translation>KV 长度被切分时一个 CTA 的键数；0 由库选择。</translation>
    </message>
    <message>
        <source>natural: as the kernel does. mirrored: one task does a short and a long tile of the causal triangle, so that all take as long. longest_first: the longest tiles start first.</source>
        <translation>natural：与内核相同。mirrored：每个任务计算因果三角形中一短一长两个分块，使各任务耗时相同。longest_first：最长的分块先开始。</translation>
    </message>
    <message>
        <source>Cut the keys of the longest tile into this many tasks, and others into as long ones; 0 or 1 is off.</source>
        <translation>把最长分块的键切成这么多个任务，其他分块按同样长度切分；0 或 1 为关闭。</translation>
    </message>
    <message>
        <source>Fused MoE</source>
        <translation>融合 MoE</translation>
    </message>
    <message>
        <source>A mixture-of-experts layer of one rank: routing, both grouped products, activation and sum.</source>
        <translation>单个 rank 的混合专家层：路由、两次分组乘积、激活与求和。</translation>
    </message>
    <message>
        <source>Tokens of the whole batch before they are dispatched to ranks.</source>
        <translation>分发到各 rank 之前整个批次的 token 数。</translation>
    </message>
    <message>
        <source>Width of the model.</source>
        <translation>模型宽度。</translation>
    </message>
    <message>
        <source>Width of one expert, over all tensor-parallel ranks.</source>
        <translation>一个专家的宽度，含所有张量并行 rank。</translation>
    </message>
    <message>
        <source>Experts that each token goes to.</source>
        <translation>每个 token 选择的专家数。</translation>
    </message>
    <message>
        <source>Experts of the layer, over all expert-parallel ranks.</source>
        <translation>该层的专家数，含所有专家并行 rank。</translation>
    </message>
    <message>
        <source>Experts have a gate: the first product is twice as wide, SiLU &amp; Mul follows.</source>
        <translation>专家带门控：第一次乘积宽度加倍，随后是 SiLU &amp; Mul。</translation>
    </message>
    <message>
        <source>Format of activations and weights.</source>
        <translation>激活与权重的格式。</translation>
    </message>
    <message>
        <source>Tensor-parallel ranks: each holds inter_size / tp columns of every expert.</source>
        <translation>张量并行 rank 数：每个持有各专家的 inter_size / tp 列。</translation>
    </message>
    <message>
        <source>Expert-parallel ranks: each holds num_experts / ep experts and computes what is routed to them.</source>
        <translation>专家并行 rank 数：每个持有 num_experts / ep 个专家，计算路由给它们的 token。</translation>
    </message>
    <message>
        <source>How tokens spread over the experts: evenly, by a power law (of the most loaded rank), or as expert_tokens says.</source>
        <translation>token 在专家间的分布：均匀、幂律（取负载最高的 rank），或由 expert_tokens 给出。</translation>
    </message>
    <message>
        <source>Of the power law; larger is more skewed.</source>
        <translation>幂律的指数；越大越偏斜。</translation>
    </message>
    <message>
        <source>For explicit: tokens of every expert of this rank, one entry each.</source>
        <translation>用于 explicit：此 rank 每个专家的 token 数，各一项。</translation>
    </message>
    <message>
        <source>The router first picks groups of experts, then experts of those (DeepSeek-V3).</source>
        <translation>路由器先选专家组，再从中选专家（DeepSeek-V3）。</translation>
    </message>
    <message>
        <source>Implementation; auto: trtllm on data-centre Blackwell, marlin for weights narrower than activations, else triton.</source>
        <translation>实现；auto：数据中心 Blackwell 用 trtllm，权重比激活窄时用 marlin，其余用 triton。</translation>
    </message>
    <message>
        <source>With triton, take the tile from vLLM&apos;s tuned table for this GPU, rank and format, if moe_configs has one.</source>
        <translation>使用 triton 时，若 moe_configs 中有适合此 GPU、rank 与格式的 vLLM 调优表，则从中取分块。</translation>
    </message>
    <message>
        <source>Rows of one tile; every expert is padded to it. 0: by an expert&apos;s mean rows.</source>
        <translation>一个分块的行数；每个专家补齐到它的整数倍。0：按专家的平均行数选择。</translation>
    </message>
    <message>
        <source>Columns of one tile; 0 is automatic.</source>
        <translation>一个分块的列数；0 为自动。</translation>
    </message>
    <message>
        <source>Row blocks that are walked before the next column of tiles; 0 is automatic.</source>
        <translation>换到下一列分块之前先走的行块数；0 为自动。</translation>
    </message>
    <message>
        <source>Warps of a CTA; 0 is automatic.</source>
        <translation>一个 CTA 的 warp 数；0 为自动。</translation>
    </message>
    <message>
        <source>Software pipeline stages; 0 is automatic.</source>
        <translation>软件流水线级数；0 为自动。</translation>
    </message>
    <message>
        <source>Layers of different weights that take turns: weights are in L2 only if all of them fit.</source>
        <translation>轮流使用的不同权重的层数：只有全部放得下时权重才留在 L2 中。</translation>
    </message>
    <message>
        <source>MoE grouped GEMM</source>
        <translation>MoE 分组 GEMM</translation>
    </message>
    <message>
        <source>One grouped product of Triton&apos;s fused MoE: rows sorted by expert, in padded blocks.</source>
        <translation>Triton 融合 MoE 的一次分组乘积：行按专家排序，补齐成块。</translation>
    </message>
    <message>
        <source>w13: hidden to 2 x inter, gate and up; w2: inter to hidden.</source>
        <translation>w13：hidden 到 2 x inter（gate 与 up）；w2：inter 到 hidden。</translation>
    </message>
    <message>
        <source>Tokens before routing; each goes to topk experts.</source>
        <translation>路由前的 token 数；每个发往 topk 个专家。</translation>
    </message>
    <message>
        <source>Width of one expert on this GPU.</source>
        <translation>此 GPU 上一个专家的宽度。</translation>
    </message>
    <message>
        <source>Experts on this GPU.</source>
        <translation>此 GPU 上的专家数。</translation>
    </message>
    <message>
        <source>How tokens spread over the experts: evenly, by a power law, or as expert_tokens says.</source>
        <translation>token 在专家间的分布：均匀、幂律，或由 expert_tokens 给出。</translation>
    </message>
    <message>
        <source>For explicit routing: tokens of every expert, one entry each.</source>
        <translation>用于 explicit 路由：每个专家的 token 数，各一项。</translation>
    </message>
    <message>
        <source>Rows of one tile; every expert is padded to it. 0: the published heuristic.</source>
        <translation>一个分块的行数；每个专家补齐到它的整数倍。0：采用论文的启发式规则。</translation>
    </message>
    <message>
        <source>Row blocks that are walked before the next column of tiles, for reuse in L2; 0 is automatic.</source>
        <translation>为在 L2 中复用，换到下一列分块之前先走的行块数；0 为自动。</translation>
    </message>
    <message>
        <source>Root-mean-square normalisation of each row, with or without a residual add.</source>
        <translation>每行的均方根归一化，可带残差相加。</translation>
    </message>
    <message>
        <source>Gated activation: silu(gate) x up, both halves of each row read, one written.</source>
        <translation>门控激活：silu(gate) x up，读每行的两半，写一半。</translation>
    </message>
    <message>
        <source>Mean and variance normalisation of each row.</source>
        <translation>每行按均值与方差归一化。</translation>
    </message>
    <message>
        <source>GELU activation, plain or gated.</source>
        <translation>GELU 激活，可带门控。</translation>
    </message>
    <message>
        <source>Softmax of each row, not fused with attention.</source>
        <translation>每行的 softmax，不与注意力融合。</translation>
    </message>
    <message>
        <source>Rotates query and key heads by their positions, in place.</source>
        <translation>按位置原地旋转查询头与键头。</translation>
    </message>
    <message>
        <source>Embedding</source>
        <translation>词嵌入</translation>
    </message>
    <message>
        <source>Gathers a table row for each token.</source>
        <translation>为每个 token 取出表中的一行。</translation>
    </message>
    <message>
        <source>Quantise</source>
        <translation>量化</translation>
    </message>
    <message>
        <source>Scales activations and stores them in fewer bits.</source>
        <translation>缩放激活并以更少的位数存储。</translation>
    </message>
    <message>
        <source>KV-cache write</source>
        <translation>KV 缓存写入</translation>
    </message>
    <message>
        <source>Scatters new keys and values into the paged cache.</source>
        <translation>把新的键和值散写到分页缓存。</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>加</translation>
    </message>
    <message>
        <source>Sum of tensors, element by element.</source>
        <translation>张量逐元素相加。</translation>
    </message>
    <message>
        <source>Multiply</source>
        <translation>乘</translation>
    </message>
    <message>
        <source>Product of tensors, element by element.</source>
        <translation>张量逐元素相乘。</translation>
    </message>
    <message>
        <source>Divide</source>
        <translation>除</translation>
    </message>
    <message>
        <source>Quotient of tensors, element by element.</source>
        <translation>张量逐元素相除。</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>幂</translation>
    </message>
    <message>
        <source>Power of each element.</source>
        <translation>逐元素求幂。</translation>
    </message>
    <message>
        <source>Negative elements become 0.</source>
        <translation>负元素置 0。</translation>
    </message>
    <message>
        <source>Hyperbolic tangent of each element.</source>
        <translation>逐元素双曲正切。</translation>
    </message>
    <message>
        <source>Rows of the batch: tokens of all requests.</source>
        <translation>批次的行数：所有请求的 token 数。</translation>
    </message>
    <message>
        <source>Elements each row has in the output on this GPU.</source>
        <translation>此 GPU 上每行输出的元素数。</translation>
    </message>
    <message>
        <source>Format of the tensors.</source>
        <translation>张量的格式。</translation>
    </message>
    <message>
        <source>Adds a residual first and writes the sum back: two reads and two writes.</source>
        <translation>先加残差并写回和：两次读两次写。</translation>
    </message>
    <message>
        <source>Elements of one load of a thread; 0 is as many as 16 bytes and the width allow, 1 is a scalar kernel.</source>
        <translation>一个线程一次加载的元素数；0 表示 16 字节与宽度允许的最大值，1 为标量内核。</translation>
    </message>
    <message>
        <source>Multiplies by a second half of each row: two elements read for one written.</source>
        <translation>与每行的另一半相乘：读两个元素写一个。</translation>
    </message>
    <message>
        <source>Key heads on this GPU, rotated too; values are not.</source>
        <translation>此 GPU 上的键头数，同样旋转；值不旋转。</translation>
    </message>
    <message>
        <source>Elements of a head.</source>
        <translation>每个头的元素数。</translation>
    </message>
    <message>
        <source>Rows of the table on this GPU; tokens that repeat are read from DRAM once.</source>
        <translation>此 GPU 上词表的行数；重复的 token 只从 DRAM 读一次。</translation>
    </message>
    <message>
        <source>Tokens of other GPUs&apos; vocabulary shards are masked first, in kernels of their own.</source>
        <translation>先用单独的内核屏蔽属于其他 GPU 词表分片的 token。</translation>
    </message>
    <message>
        <source>Format of the result; nvfp4 packs two elements a byte.</source>
        <translation>结果的格式；nvfp4 每字节存两个元素。</translation>
    </message>
    <message>
        <source>What shares a scale: the tensor, a token&apos;s row, 128 or 16 elements. auto is 16 for nvfp4 and a token for the rest.</source>
        <translation>共用一个缩放因子的范围：整个张量、一个 token 的行、128 或 16 个元素。auto：nvfp4 为 16，其余按 token。</translation>
    </message>
    <message>
        <source>Key and value heads on this GPU.</source>
        <translation>此 GPU 上的键值头数。</translation>
    </message>
    <message>
        <source>Format of the cache; auto is that of the tensors.</source>
        <translation>缓存的格式；auto 与张量相同。</translation>
    </message>
    <message>
        <source>Order inside a page: a token&apos;s heads together, or a head&apos;s tokens together.</source>
        <translation>页内顺序：同一 token 的各头相邻，或同一头的各 token 相邻。</translation>
    </message>
    <message>
        <source>Tensors read; 1 is an operand and a scalar, each above 2 is one more kernel.</source>
        <translation>读取的张量数；1 为一个操作数与一个标量，超过 2 时每个多一个内核。</translation>
    </message>
    <message>
        <source>Llama-3.1-70B qkv, prefill 4k</source>
        <translation>Llama-3.1-70B qkv，预填充 4k</translation>
    </message>
    <message>
        <source>Qwen3-32B down, decode 12</source>
        <translation>Qwen3-32B down，解码 12</translation>
    </message>
    <message>
        <source>133 tiles: a tail on an H100</source>
        <translation>133 个分块：H100 上的尾部</translation>
    </message>
    <message>
        <source>DeepSeek-V3 down, fp8 blocks</source>
        <translation>DeepSeek-V3 down，fp8 分块缩放</translation>
    </message>
    <message>
        <source>Square 8192</source>
        <translation>8192 方阵</translation>
    </message>
    <message>
        <source>Llama-3.1-8B, prefill 4k</source>
        <translation>Llama-3.1-8B，预填充 4k</translation>
    </message>
    <message>
        <source>Causal imbalance, 1 long + 31 short</source>
        <translation>因果不均衡，1 长 + 31 短</translation>
    </message>
    <message>
        <source>Decode, 64 requests at 4k</source>
        <translation>解码，64 个 4k 请求</translation>
    </message>
    <message>
        <source>Decode, one request at 128k</source>
        <translation>解码，一个 128k 请求</translation>
    </message>
    <message>
        <source>Qwen3-235B, 4096 tokens</source>
        <translation>Qwen3-235B，4096 个 token</translation>
    </message>
    <message>
        <source>Mixtral-8x7B, 64 tokens</source>
        <translation>Mixtral-8x7B，64 个 token</translation>
    </message>
    <message>
        <source>DeepSeek-V3 in fp8, 32 ranks</source>
        <translation>DeepSeek-V3，fp8，32 个 rank</translation>
    </message>
    <message>
        <source>Skewed experts</source>
        <translation>专家负载偏斜</translation>
    </message>
    <message>
        <source>Qwen3-235B gate and up, 4096 tokens</source>
        <translation>Qwen3-235B gate 与 up，4096 个 token</translation>
    </message>
    <message>
        <source>Qwen3-30B down, 64 tokens</source>
        <translation>Qwen3-30B down，64 个 token</translation>
    </message>
    <message>
        <source>Qwen3-32B, 4096 tokens</source>
        <translation>Qwen3-32B，4096 个 token</translation>
    </message>
    <message>
        <source>One token of 8192</source>
        <translation>一个 token，宽 8192</translation>
    </message>
    <message>
        <source>Llama-3.1-8B, 4096 tokens</source>
        <translation>Llama-3.1-8B，4096 个 token</translation>
    </message>
    <message>
        <source>One token of 25600</source>
        <translation>一个 token，宽 25600</translation>
    </message>
    <message>
        <source>Decode: one token</source>
        <translation>解码：一个 token</translation>
    </message>
    <message>
        <source>4096 rows of 4096</source>
        <translation>4096 行，宽 4096</translation>
    </message>
    <message>
        <source>4096 tokens of 16384</source>
        <translation>4096 个 token，宽 16384</translation>
    </message>
    <message>
        <source>Gated, as in Gemma</source>
        <translation>带门控，如 Gemma</translation>
    </message>
    <message>
        <source>Router: 128 experts</source>
        <translation>路由器：128 个专家</translation>
    </message>
    <message>
        <source>Logits of 32 tokens</source>
        <translation>32 个 token 的 logits</translation>
    </message>
    <message>
        <source>Llama-3.1-70B, 4096 tokens</source>
        <translation>Llama-3.1-70B，4096 个 token</translation>
    </message>
    <message>
        <source>fp8 by token, 4096 x 8192</source>
        <translation>fp8 按 token，4096 x 8192</translation>
    </message>
    <message>
        <source>fp8 by blocks of 128</source>
        <translation>fp8 按 128 个元素</translation>
    </message>
    <message>
        <source>fp8 by tensor</source>
        <translation>fp8 按张量</translation>
    </message>
    <message>
        <source>fp8 cache</source>
        <translation>fp8 缓存</translation>
    </message>
    <message>
        <source>Residual, 4096 x 4096</source>
        <translation>残差，4096 x 4096</translation>
    </message>
    <message>
        <source>First: %1</source>
        <translation>先行：%1</translation>
    </message>
    <message>
        <source>Then: %1</source>
        <translation>随后：%1</translation>
    </message>
    <message>
        <source>A kernel that this one waits for.</source>
        <translation>本内核等待的内核。</translation>
    </message>
    <message>
        <source>A kernel that waits for this one.</source>
        <translation>等待本内核的内核。</translation>
    </message>
    <message>
        <source>quantise activations</source>
        <translation>量化激活</translation>
    </message>
    <message>
        <source>split reduction</source>
        <translation>切分归约</translation>
    </message>
    <message>
        <source>split-KV merge</source>
        <translation>split-KV 合并</translation>
    </message>
    <message>
        <source>router top-k</source>
        <translation>路由 top-k</translation>
    </message>
    <message>
        <source>sort by expert</source>
        <translation>按专家排序</translation>
    </message>
    <message>
        <source>expand rows</source>
        <translation>展开行</translation>
    </message>
    <message>
        <source>quantise</source>
        <translation>量化</translation>
    </message>
    <message>
        <source>activation</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>weighted sum</source>
        <translation>加权求和</translation>
    </message>
    <message>
        <source>token mask</source>
        <translation>token 掩码</translation>
    </message>
    <message>
        <source>largest magnitude</source>
        <translation>最大绝对值</translation>
    </message>
    <message>
        <source>softmax, a warp a row</source>
        <translation>softmax，每行一个 warp</translation>
    </message>
    <message>
        <source>gelu and mul</source>
        <translation>GELU 与乘</translation>
    </message>
    <message>
        <source>embedding, element by element</source>
        <translation>词嵌入，逐元素</translation>
    </message>
    <message>
        <source>kv cache write</source>
        <translation>KV 缓存写入</translation>
    </message>
    <message>
        <source>quantize by %1</source>
        <translation>按 %1 个元素量化</translation>
    </message>
    <message>
        <source>quantize by token</source>
        <translation>按 token 量化</translation>
    </message>
    <message>
        <source>quantize by tensor</source>
        <translation>按张量量化</translation>
    </message>
    <message>
        <source>nothing to multiply</source>
        <translation>无可相乘</translation>
    </message>
    <message>
        <source>tile (%1, %2)</source>
        <translation>分块 (%1, %2)</translation>
    </message>
    <message>
        <source>tile (%1, %2), k slice %3</source>
        <translation>分块 (%1, %2)，k 切片 %3</translation>
    </message>
    <message>
        <source>product %1, tile (%2, %3)</source>
        <translation>乘积 %1，分块 (%2, %3)</translation>
    </message>
    <message>
        <source>product %1, tile (%2, %3), k slice %4</source>
        <translation>乘积 %1，分块 (%2, %3)，k 切片 %4</translation>
    </message>
    <message>
        <source>request %1, head %2, rows %3 to %4</source>
        <translation>请求 %1，头 %2，行 %3 到 %4</translation>
    </message>
    <message>
        <source>request %1, head %2, rows %3 to %4, keys %5 to %6</source>
        <translation>请求 %1，头 %2，行 %3 到 %4，键 %5 到 %6</translation>
    </message>
    <message>
        <source>request %1, head %2, rows %3 to %4 and %5 to %6</source>
        <translation>请求 %1，头 %2，行 %3 到 %4 与 %5 到 %6</translation>
    </message>
    <message>
        <source>request %1, head %2, rows %3 to %4 and %5 to %6, keys %7 to %8</source>
        <translation>请求 %1，头 %2，行 %3 到 %4 与 %5 到 %6，键 %7 到 %8</translation>
    </message>
    <message>
        <source>request %1, KV head %2, packed rows %3 to %4</source>
        <translation>请求 %1，KV 头 %2，合并行 %3 到 %4</translation>
    </message>
    <message>
        <source>request %1, KV head %2, packed rows %3 to %4, keys %5 to %6</source>
        <translation>请求 %1，KV 头 %2，合并行 %3 到 %4，键 %5 到 %6</translation>
    </message>
    <message>
        <source>request %1, KV head %2, packed rows %3 to %4 and %5 to %6</source>
        <translation>请求 %1，KV 头 %2，合并行 %3 到 %4 与 %5 到 %6</translation>
    </message>
    <message>
        <source>request %1, KV head %2, packed rows %3 to %4 and %5 to %6, keys %7 to %8</source>
        <translation>请求 %1，KV 头 %2，合并行 %3 到 %4 与 %5 到 %6，键 %7 到 %8</translation>
    </message>
    <message>
        <source>expert %1, rows %2-%3, columns %4-%5</source>
        <translation>专家 %1，行 %2-%3，列 %4-%5</translation>
    </message>
    <message>
        <source>row block %1, columns %2-%3</source>
        <translation>行块 %1，列 %2-%3</translation>
    </message>
    <message>
        <source>row %1</source>
        <translation>行 %1</translation>
    </message>
    <message>
        <source>part %1</source>
        <translation>第 %1 段</translation>
    </message>
    <message>
        <source>Tensor pipe</source>
        <translation>张量管线</translation>
    </message>
    <message>
        <source>FMA pipe</source>
        <translation>FMA 管线</translation>
    </message>
    <message>
        <source>XU pipe</source>
        <translation>XU 管线</translation>
    </message>
    <message>
        <source>Shared memory</source>
        <translation>共享内存</translation>
    </message>
    <message>
        <source>L2 bandwidth</source>
        <translation>L2 带宽</translation>
    </message>
    <message>
        <source>DRAM bandwidth</source>
        <translation>DRAM 带宽</translation>
    </message>
    <message>
        <source>Bandwidth left by ECC</source>
        <translation>ECC 后剩余带宽</translation>
    </message>
    <message>
        <source>Launch latency</source>
        <translation>启动延迟</translation>
    </message>
    <message>
        <source>Tensor pipe, all SMs equally busy</source>
        <translation>张量管线，所有 SM 同样繁忙</translation>
    </message>
    <message>
        <source>FMA pipe, all SMs equally busy</source>
        <translation>FMA 管线，所有 SM 同样繁忙</translation>
    </message>
    <message>
        <source>XU pipe, all SMs equally busy</source>
        <translation>XU 管线，所有 SM 同样繁忙</translation>
    </message>
    <message>
        <source>Shared memory, all SMs equally busy</source>
        <translation>共享内存，所有 SM 同样繁忙</translation>
    </message>
    <message>
        <source>L2 bandwidth, all SMs equally busy</source>
        <translation>L2 带宽，所有 SM 同样繁忙</translation>
    </message>
    <message>
        <source>DRAM bandwidth, all SMs equally busy</source>
        <translation>DRAM 带宽，所有 SM 同样繁忙</translation>
    </message>
    <message>
        <source>All work of the busiest pipe at its datasheet rate, spread evenly.</source>
        <translation>最繁忙管线的全部工作，按标称速率均匀分布。</translation>
    </message>
    <message>
        <source>Tail, %1 of %2 SMs idle</source>
        <translation>尾部，%2 个 SM 中有 %1 个空闲</translation>
    </message>
    <message>
        <source>Busiest SM above the mean</source>
        <translation>最繁忙的 SM 高于平均</translation>
    </message>
    <message>
        <source>What the busiest SM has more than the mean, while the others wait for it.</source>
        <translation>最繁忙的 SM 比平均多出的部分，其余 SM 在等待它。</translation>
    </message>
    <message>
        <source>Sustained below peak rate</source>
        <translation>持续速率低于峰值</translation>
    </message>
    <message>
        <source>Real kernels do not hold the datasheet rate: tile edges, power limit, memory protocol.</source>
        <translation>实际内核达不到标称速率：分块边缘、功耗限制、内存协议。</translation>
    </message>
    <message>
        <source>Pipeline fill and drain</source>
        <translation>流水线填充与排空</translation>
    </message>
    <message>
        <source>The first loads of every CTA before its main loop runs.</source>
        <translation>每个 CTA 主循环开始前的首批加载。</translation>
    </message>
    <message>
        <source>Other pipes and loads not hidden</source>
        <translation>未被掩盖的其他管线与加载</translation>
    </message>
    <message>
        <source>Memory and compute overlap only in part; main loops wait for loads.</source>
        <translation>内存与计算只能部分重叠；主循环等待加载。</translation>
    </message>
    <message>
        <source>Launch</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>From the launch in a CUDA graph to the first CTA, and back.</source>
        <translation>从 CUDA 图中的启动到第一个 CTA，再到返回。</translation>
    </message>
    <message>
        <source>analytical model, without a learned model</source>
        <translation>解析模型，此调用没有学习模型</translation>
    </message>
    <message>
        <source>a quarter more DRAM bandwidth</source>
        <translation>DRAM 带宽增加四分之一</translation>
    </message>
    <message>
        <source>twice the L2 capacity</source>
        <translation>L2 容量加倍</translation>
    </message>
    <message>
        <source>half the launch latency</source>
        <translation>启动延迟减半</translation>
    </message>
    <message>
        <source>tensor clock held at %1 MHz</source>
        <translation>张量时钟保持在 %1 MHz</translation>
    </message>
    <message>
        <source>everything chosen automatically: %1 CTAs, %2 waves</source>
        <translation>全部自动选择：%1 个 CTA，%2 波</translation>
    </message>
    <message>
        <source>tile_m %1: %2 CTAs, %3 waves</source>
        <translation>tile_m %1：%2 个 CTA，%3 波</translation>
    </message>
    <message>
        <source>tile_n %1: %2 CTAs, %3 waves</source>
        <translation>tile_n %1：%2 个 CTA，%3 波</translation>
    </message>
    <message>
        <source>split_k %1: %2 CTAs, %3 waves</source>
        <translation>split_k %1：%2 个 CTA，%3 波</translation>
    </message>
    <message>
        <source>hardware</source>
        <translation>硬件</translation>
    </message>
    <message>
        <source>persistent, static stride</source>
        <translation>常驻，静态步长</translation>
    </message>
    <message>
        <source>persistent, queue</source>
        <translation>常驻，队列</translation>
    </message>
    <message>
        <source>persistent, longest first</source>
        <translation>常驻，最长优先</translation>
    </message>
    <message>
        <source>persistent, least loaded</source>
        <translation>常驻，最小负载</translation>
    </message>
    <message>
        <source>learned model %1 of %2, trained on %3 measurements on %4 GPUs</source>
        <translation>学习模型 %1（%2），用 %4 个 GPU 上的 %3 次测量训练</translation>
    </message>
    <message>
        <source>this GPU is not one of them, its generation is</source>
        <translation>其中没有此 GPU，但有它这一代</translation>
    </message>
    <message>
        <source>this kernel was not measured on this GPU&apos;s generation</source>
        <translation>此内核未在该 GPU 这一代上测量过</translation>
    </message>
    <message>
        <source>this answer comes from the analysis alone: no measured row is behind it</source>
        <translation>此结果仅来自分析：背后没有实测数据</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV 缓存</translation>
    </message>
    <message>
        <source>activations</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>workspace</source>
        <translation>工作区</translation>
    </message>
    <message>
        <source>communicators</source>
        <translation>通信器</translation>
    </message>
    <message>
        <source>%1 B parameters over tp %2 x pp %3</source>
        <translation>%1 B 参数，分到 tp %2 x pp %3</translation>
    </message>
    <message>
        <source>%1 sequences, %2 bytes a token</source>
        <translation>%1 个序列，每词元 %2 字节</translation>
    </message>
    <message>
        <source>%1 tokens of one step and the logits</source>
        <translation>一步的 %1 个词元与 logits</translation>
    </message>
    <message>
        <source>context, libraries, graphs</source>
        <translation>上下文、库、图</translation>
    </message>
    <message>
        <source>attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>mlp</source>
        <translation>MLP</translation>
    </message>
    <message>
        <source>norm</source>
        <translation>归一化</translation>
    </message>
    <message>
        <source>head</source>
        <translation>嵌入与输出</translation>
    </message>
    <message>
        <source>communication</source>
        <translation>通信</translation>
    </message>
    <message>
        <source>host</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>no model is chosen</source>
        <translation>未选择模型</translation>
    </message>
    <message>
        <source>%1 stages for %2 layers; allowed is %3 to %4</source>
        <translation>%2 层分成 %1 级；允许 %3 至 %4</translation>
    </message>
    <message>
        <source>%1 GPUs, but --tp %2 x --pp %3 are %4; possible is a multiple of that up to %5, each with a copy of the model</source>
        <translation>%1 个 GPU，但 --tp %2 x --pp %3 为 %4；可以是其倍数，最多 %5，各有一份模型</translation>
    </message>
    <message>
        <source>request %1 is %2 tokens long, the model&apos;s context holds %3</source>
        <translation>请求 %1 长 %2 词元，模型上下文容纳 %3</translation>
    </message>
    <message>
        <source>causal convolution</source>
        <translation>因果卷积</translation>
    </message>
    <message>
        <source>linear attention (gated delta rule)</source>
        <translation>线性注意力（门控增量规则）</translation>
    </message>
    <message>
        <source>keys that are the values too</source>
        <translation>键同时是值</translation>
    </message>
    <message>
        <source>continuous batching: steps of at most %1 tokens and %2 requests, %3 cached tokens; a request waits until its prompt and output fit</source>
        <translation>连续批处理：每步最多 %1 词元与 %2 请求，缓存 %3 词元；请求等到其提示与输出放得下</translation>
    </message>
    <message>
        <source>%1 copies of the model serve the requests in turn; steps are those of the slowest</source>
        <translation>%1 份模型轮流服务请求；各步为最慢的一份</translation>
    </message>
    <message>
        <source>%1 sequences do not fit: weights %2 GB + KV cache %3 GB + activations %4 GB + workspace %5 GB = %6 GB of %7 GB usable on each GPU; the largest batch of %8 tokens a sequence that fits is %9</source>
        <translation>%1 个序列放不下：权重 %2 GB + KV 缓存 %3 GB + 激活 %4 GB + 工作区 %5 GB = %6 GB，每个 GPU 可用 %7 GB；每序列 %8 词元时放得下的最大批量是 %9</translation>
    </message>
    <message>
        <source>SMs</source>
        <translation>SM 数</translation>
    </message>
    <message>
        <source>Clock</source>
        <translation>时钟</translation>
    </message>
    <message>
        <source>L2 size</source>
        <translation>L2 容量</translation>
    </message>
    <message>
        <source>Tensor rate</source>
        <translation>张量速率</translation>
    </message>
    <message>
        <source>GPU_A is fastest: %1 % less latency than GPU_B, more than the uncertainty: their %2 % intervals do not overlap.</source>
        <translation>GPU_A 最快：延迟比 GPU_B 少 %1 %，超过不确定度：二者的 %2 % 区间不重叠。</translation>
    </message>
    <message>
        <source>GPU_A is fastest: %1 % less latency than GPU_B, but not distinguishable: their %2 % intervals overlap.</source>
        <translation>GPU_A 最快：延迟比 GPU_B 少 %1 %，但无法区分：二者的 %2 % 区间重叠。</translation>
    </message>
    <message>
        <source>GPU_A is fastest: %1 % less latency than GPU_B; without an interval of both, whether that is more than the uncertainty is not known.</source>
        <translation>GPU_A 最快：延迟比 GPU_B 少 %1 %；两者没有都给出区间，无法知道是否超过不确定度。</translation>
    </message>
    <message>
        <source>GPU_A and GPU_B have the same latency to %1 %: not distinguishable, their %2 % intervals overlap.</source>
        <translation>GPU_A 与 GPU_B 的延迟在 %1 % 内相同：无法区分，二者的 %2 % 区间重叠。</translation>
    </message>
    <message>
        <source>GPU_A and GPU_B have the same latency to %1 %.</source>
        <translation>GPU_A 与 GPU_B 的延迟在 %1 % 内相同。</translation>
    </message>
    <message>
        <source>GPU_A is cheapest: %1 % less cost a call than GPU_B, more than the uncertainty: their ranges of price and latency do not overlap.</source>
        <translation>GPU_A 最便宜：每次调用比 GPU_B 少花 %1 %，超过不确定度：二者的价格与延迟范围不重叠。</translation>
    </message>
    <message>
        <source>GPU_A is cheapest: %1 % less cost a call than GPU_B, but not distinguishable: their ranges of price and latency overlap.</source>
        <translation>GPU_A 最便宜：每次调用比 GPU_B 少花 %1 %，但无法区分：二者的价格与延迟范围重叠。</translation>
    </message>
    <message>
        <source>GPU_A stands alone: there is nothing to compare it with.</source>
        <translation>只有 GPU_A：没有可比较的对象。</translation>
    </message>
    <message>
        <source>a table of requests can not be compared: choose equal requests in the Serving workspace</source>
        <translation>请求表不能对比：请在“推理服务”工作区选择相同请求</translation>
    </message>
    <message>
        <source>%1 GPU: the fewest that hold the model and its cache</source>
        <translation>%1 个 GPU：容纳模型及其缓存所需的最少数</translation>
    </message>
    <message>
        <source>%1 GPU: the fewest that hold the model and its cache and meet the limits</source>
        <translation>%1 个 GPU：容纳模型及其缓存并满足限制所需的最少数</translation>
    </message>
    <message>
        <source>%1 GPUs (tp %2): the fewest that hold the model and its cache</source>
        <translation>%1 个 GPU（tp %2）：容纳模型及其缓存所需的最少数</translation>
    </message>
    <message>
        <source>%1 GPUs (tp %2): the fewest that hold the model and its cache and meet the limits</source>
        <translation>%1 个 GPU（tp %2）：容纳模型及其缓存并满足限制所需的最少数</translation>
    </message>
    <message>
        <source>the upper end of its interval is over a limit</source>
        <translation>其区间上端超过某个限制</translation>
    </message>
    <message>
        <source>%1 GPU: the fastest of up to %2, which meets not all limits</source>
        <translation>%1 个 GPU：最多 %2 个中最快的，但未满足全部限制</translation>
    </message>
    <message>
        <source>%1 GPUs (tp %2): the fastest of up to %3, which meets not all limits</source>
        <translation>%1 个 GPU（tp %2）：最多 %3 个中最快的，但未满足全部限制</translation>
    </message>
    <message>
        <source>no plan on up to %1 GPU</source>
        <translation>最多 %1 个 GPU 时没有方案</translation>
    </message>
    <message>
        <source>no plan on up to %1 GPUs (tp %2)</source>
        <translation>最多 %1 个 GPU（tp %2）时没有方案</translation>
    </message>
    <message>
        <source>%1 GPU lacks memory (%2 of %3 GB usable on each)</source>
        <translation>%1 个 GPU 显存不足（每个需 %2，可用 %3 GB）</translation>
    </message>
    <message>
        <source>%1 GPUs (tp %2) lack memory (%3 of %4 GB usable on each)</source>
        <translation>%1 个 GPU（tp %2）显存不足（每个需 %3，可用 %4 GB）</translation>
    </message>
    <message>
        <source>does not fit: %1 GB needed, %2 GB usable on each of %3 GPU</source>
        <translation>放不下：%3 个 GPU 每个需 %1 GB，可用 %2 GB</translation>
    </message>
    <message>
        <source>does not fit: %1 GB needed, %2 GB usable on each of %3 GPUs (tp %4)</source>
        <translation>放不下：%3 个 GPU（tp %4）每个需 %1 GB，可用 %2 GB</translation>
    </message>
    <message>
        <source>time to first token is %1 ms, over the limit of %2 ms</source>
        <translation>首词元延迟为 %1 ms，超过限制 %2 ms</translation>
    </message>
    <message>
        <source>time per output token is %1 ms, over the limit of %2 ms</source>
        <translation>每词元延迟为 %1 ms，超过限制 %2 ms</translation>
    </message>
    <message>
        <source>with %1 GPU the time to first token is %2 ms, over the limit of %3 ms</source>
        <translation>%1 个 GPU 时首词元延迟为 %2 ms，超过限制 %3 ms</translation>
    </message>
    <message>
        <source>with %1 GPU the time per output token is %2 ms, over the limit of %3 ms</source>
        <translation>%1 个 GPU 时每词元延迟为 %2 ms，超过限制 %3 ms</translation>
    </message>
    <message>
        <source>with %1 GPUs (tp %2) the time to first token is %3 ms, over the limit of %4 ms</source>
        <translation>%1 个 GPU（tp %2）时首词元延迟为 %3 ms，超过限制 %4 ms</translation>
    </message>
    <message>
        <source>with %1 GPUs (tp %2) the time per output token is %3 ms, over the limit of %4 ms</source>
        <translation>%1 个 GPU（tp %2）时每词元延迟为 %3 ms，超过限制 %4 ms</translation>
    </message>
    <message>
        <source>with %1 GPU the time to first token is %2 ms, over the limit of %3 ms and the time per output token is %4 ms, over the limit of %5 ms</source>
        <translation>%1 个 GPU 时首词元延迟为 %2 ms，超过限制 %3 ms，每词元延迟为 %4 ms，超过限制 %5 ms</translation>
    </message>
    <message>
        <source>with %1 GPUs (tp %2) the time to first token is %3 ms, over the limit of %4 ms and the time per output token is %5 ms, over the limit of %6 ms</source>
        <translation>%1 个 GPU（tp %2）时首词元延迟为 %3 ms，超过限制 %4 ms，每词元延迟为 %5 ms，超过限制 %6 ms</translation>
    </message>
    <message>
        <source>no on_demand price in any price book</source>
        <translation>任何价格簿都没有按需价格</translation>
    </message>
    <message>
        <source>no spot price in any price book</source>
        <translation>任何价格簿都没有竞价价格</translation>
    </message>
    <message>
        <source>no reserved price in any price book</source>
        <translation>任何价格簿都没有预留价格</translation>
    </message>
    <message>
        <source>no purchase price in any price book</source>
        <translation>任何价格簿都没有购买价格</translation>
    </message>
    <message>
        <source>synperf import prices adds one</source>
        <translation>synperf import prices 可添加</translation>
    </message>
    <message>
        <source>%1 offers</source>
        <translation>%1 个报价</translation>
    </message>
    <message>
        <source>%1 offer</source>
        <translation>%1 个报价</translation>
    </message>
    <message>
        <source>the catalogue does not state the edition</source>
        <translation>目录未说明版本</translation>
    </message>
    <message>
        <source>the catalogue does not state the form factor</source>
        <translation>目录未说明外形</translation>
    </message>
    <message>
        <source>one offer alone is no range, so it is that of %1 on_demand prices: %2 to %3 times the median</source>
        <translation>单一报价没有范围，故取 %1 个按需价格的范围：中位数的 %2 至 %3 倍</translation>
    </message>
    <message>
        <source>one offer alone is no range, so it is that of %1 spot prices: %2 to %3 times the median</source>
        <translation>单一报价没有范围，故取 %1 个竞价价格的范围：中位数的 %2 至 %3 倍</translation>
    </message>
    <message>
        <source>one offer alone is no range, so it is that of %1 other prices: %2 to %3 times the median</source>
        <translation>单一报价没有范围，故取 %1 个其他价格的范围：中位数的 %2 至 %3 倍</translation>
    </message>
    <message>
        <source>a byte order mark was skipped</source>
        <translation>已跳过字节顺序标记</translation>
    </message>
    <message>
        <source>lines end in CRLF</source>
        <translation>行以 CRLF 结尾</translation>
    </message>
    <message>
        <source>fields are separated by semicolons</source>
        <translation>字段以分号分隔</translation>
    </message>
    <message>
        <source>fields are separated by tabs</source>
        <translation>字段以制表符分隔</translation>
    </message>
    <message>
        <source>no currency is stated: read as USD</source>
        <translation>未说明货币：按 USD 读取</translation>
    </message>
    <message>
        <source>no date is stated: as of import, %1-%2-%3</source>
        <translation>未说明日期：按导入日 %1-%2-%3</translation>
    </message>
    <message>
        <source>%1 number with a decimal comma</source>
        <translation>%1 个数用小数逗号</translation>
    </message>
    <message>
        <source>%1 numbers with a decimal comma</source>
        <translation>%1 个数用小数逗号</translation>
    </message>
    <message>
        <source>%1 price of instances divided by their GPUs</source>
        <translation>%1 个实例价格已除以其 GPU 数</translation>
    </message>
    <message>
        <source>%1 prices of instances divided by their GPUs</source>
        <translation>%1 个实例价格已除以其 GPU 数</translation>
    </message>
    <message>
        <source>line %1: %2 is the price of %3 GPUs, not of one: read as %4 a GPU</source>
        <translation>第 %1 行：%2 是 %3 个 GPU 的价格，不是一个的：按每 GPU %4 读取</translation>
    </message>
    <message>
        <source>%1 price is of one offer alone: the range will be that of other prices</source>
        <translation>%1 个价格只有单一报价：范围将取其他价格的</translation>
    </message>
    <message>
        <source>%1 prices are of one offer alone: the range will be that of other prices</source>
        <translation>%1 个价格只有单一报价：范围将取其他价格的</translation>
    </message>
    <message>
        <source>price_low and price_high state one</source>
        <translation>price_low 与 price_high 可说明</translation>
    </message>
    <message>
        <source>%1 rows became %2 prices</source>
        <translation>%1 行成为 %2 个价格</translation>
    </message>
    <message>
        <source>the comparison is full: remove a GPU first</source>
        <translation>对比已满：请先移除一个 GPU</translation>
    </message>
    <message>
        <source>there is nothing to save yet</source>
        <translation>还没有可保存的内容</translation>
    </message>
    <message>
        <source>%1 rows became %2 price</source>
        <translation>%1 行成为 %2 个价格</translation>
    </message>
    <message>
        <source>%1 row became %2 prices</source>
        <translation>%1 行成为 %2 个价格</translation>
    </message>
    <message>
        <source>%1 row became %2 price</source>
        <translation>%1 行成为 %2 个价格</translation>
    </message>
    <message>
        <source>a price book of %1 prices</source>
        <translation>含 %1 个价格的价格簿</translation>
    </message>
    <message>
        <source>no currency is stated: read as EUR</source>
        <translation>未说明货币：按 EUR 读取</translation>
    </message>
    <message>
        <source>line %1: no currency, read as USD</source>
        <translation>第 %1 行：未说明货币，按 USD 读取</translation>
    </message>
    <message>
        <source>line %1: no currency, read as EUR</source>
        <translation>第 %1 行：未说明货币，按 EUR 读取</translation>
    </message>
    <message>
        <source>line %1: no median: read as %2, the mean of low and high</source>
        <translation>第 %1 行：没有中位数：按低价与高价的平均值 %2 读取</translation>
    </message>
    <message>
        <source>line %1: price_low or price_high alone is no price</source>
        <translation>第 %1 行：仅有 price_low 或 price_high 不成价格</translation>
    </message>
    <message>
        <source>%1 dates from %2-%3-%4 to %5-%6-%7: the book has the oldest</source>
        <translation>%1 个日期，自 %2-%3-%4 至 %5-%6-%7：价格簿取最旧的</translation>
    </message>
    <message>
        <source>the date is unknown, as the table says</source>
        <translation>如表格所述，日期未知</translation>
    </message>
    <message>
        <source>bought GPUs: where the table states none, a life of %1 years, power at %2 a kWh, PUE %3 and %4 % use are assumed</source>
        <translation>购买的 GPU：表格未说明之处，按寿命 %1 年、电价每 kWh %2、PUE %3、使用率 %4 % 计</translation>
    </message>
    <message>
        <source>left out: %1</source>
        <translation>略去：%1</translation>
    </message>
    <message>
        <source>and %1 lines more like these</source>
        <translation>以及另外 %1 行类似的</translation>
    </message>
    <message>
        <source>%1-%2-%3 is after today, %4-%5-%6</source>
        <translation>%1-%2-%3 在今天 %4-%5-%6 之后</translation>
    </message>
    <message>
        <source>there are %1 price books of your own already, more are refused</source>
        <translation>您已有 %1 本价格簿，不再接受更多</translation>
    </message>
    <message>
        <source>there is no ranking yet</source>
        <translation>尚无排名</translation>
    </message>
    <message>
        <source>slower</source>
        <translation>更慢</translation>
    </message>
    <message>
        <source>faster</source>
        <translation>更快</translation>
    </message>
    <message>
        <source>the same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>not distinguishable</source>
        <translation>无法区分</translation>
    </message>
    <message>
        <source>uncertainty unknown</source>
        <translation>不确定度未知</translation>
    </message>
</context>
<context>
    <name>synperf::ui::AddGpuDialog</name>
    <message>
        <source>Add a GPU</source>
        <translation>添加 GPU</translation>
    </message>
    <message>
        <source>These fields are enough for a prediction. What is left out follows from the compute capability, marked as derived.</source>
        <translation>这些字段足以进行预测。其余的由计算能力推出，并标为“推导”。</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Vendor</source>
        <translation>厂商</translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation>架构</translation>
    </message>
    <message>
        <source>Compute capability</source>
        <translation>计算能力</translation>
    </message>
    <message>
        <source>Hopper</source>
        <translation>Hopper</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Name: needs letters or digits</source>
        <translation>名称：需要字母或数字</translation>
    </message>
    <message>
        <source>Name: &quot;%1&quot; is taken</source>
        <translation>名称：“%1”已被占用</translation>
    </message>
</context>
<context>
    <name>synperf::ui::BreakdownView</name>
    <message>
        <source>Decode step</source>
        <translation>解码步</translation>
    </message>
    <message>
        <source>Prefill</source>
        <translation>预填充</translation>
    </message>
    <message>
        <source>%1: %2, %3 % of the %4, %5 calls</source>
        <translation>%1：%2，占%4的 %3 %，%5 次调用</translation>
    </message>
    <message>
        <source>prefill</source>
        <translation>预填充</translation>
    </message>
    <message>
        <source>decode step</source>
        <translation>解码步</translation>
    </message>
    <message>
        <source>Where the time goes</source>
        <translation>时间花在哪里</translation>
    </message>
    <message>
        <source>prefill %1</source>
        <translation>预填充 %1</translation>
    </message>
    <message>
        <source>prefill %1, decode step %2</source>
        <translation>预填充 %1，解码步 %2</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>Prefill (ms)</source>
        <translation>预填充 (ms)</translation>
    </message>
    <message>
        <source>Prefill (%)</source>
        <translation>预填充 (%)</translation>
    </message>
    <message>
        <source>Decode step (ms)</source>
        <translation>解码步 (ms)</translation>
    </message>
    <message>
        <source>Decode step (%)</source>
        <translation>解码步 (%)</translation>
    </message>
</context>
<context>
    <name>synperf::ui::CandidateModel</name>
    <message>
        <source>candidate %1</source>
        <translation>候选 %1</translation>
    </message>
    <message>
        <source>no candidate %1</source>
        <translation>去掉候选 %1</translation>
    </message>
    <message>
        <source>%1 is not in the catalogue</source>
        <translation>%1 不在目录中</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>排名 %1</translation>
    </message>
    <message>
        <source>leave out %1</source>
        <translation>不计 %1</translation>
    </message>
</context>
<context>
    <name>synperf::ui::CommandPalette</name>
    <message>
        <source>Search or run an action</source>
        <translation>搜索或执行操作</translation>
    </message>
    <message>
        <source>Ctrl+wheel, W, S, +, -</source>
        <translation>Ctrl+滚轮、W、S、+、-</translation>
    </message>
    <message>
        <source>zoom at the cursor</source>
        <translation>以光标为中心缩放</translation>
    </message>
    <message>
        <source>wheel</source>
        <translation>滚轮</translation>
    </message>
    <message>
        <source>scroll the rows</source>
        <translation>滚动各行</translation>
    </message>
    <message>
        <source>A, D, arrows, Shift+wheel, middle-drag, Space+drag</source>
        <translation>A、D、方向键、Shift+滚轮、中键拖动、空格+拖动</translation>
    </message>
    <message>
        <source>pan</source>
        <translation>平移</translation>
    </message>
    <message>
        <source>F, Home, double click</source>
        <translation>F、Home、双击</translation>
    </message>
    <message>
        <source>fit the selection, the whole kernel, an item</source>
        <translation>适应所选、整个内核、一个条目</translation>
    </message>
    <message>
        <source>, and .</source>
        <translation>, 和 .</translation>
    </message>
    <message>
        <source>previous and next CTA along the SM</source>
        <translation>沿 SM 的上一个和下一个 CTA</translation>
    </message>
    <message>
        <source>Ctrl+Left, Ctrl+Right</source>
        <translation>Ctrl+左、Ctrl+右</translation>
    </message>
    <message>
        <source>previous and next wave</source>
        <translation>上一波和下一波</translation>
    </message>
    <message>
        <source>drag</source>
        <translation>拖动</translation>
    </message>
    <message>
        <source>select a time range; Esc clears it</source>
        <translation>选择时间范围；Esc 清除</translation>
    </message>
    <message>
        <source>drag on a field&apos;s name, arrow keys in a field</source>
        <translation>拖动字段名称、字段内的方向键</translation>
    </message>
    <message>
        <source>change its value; Page Up and Page Down: ten steps</source>
        <translation>改变其值；Page Up 和 Page Down：十步</translation>
    </message>
</context>
<context>
    <name>synperf::ui::CompareCard</name>
    <message>
        <source>tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>FMA</source>
        <translation>FMA</translation>
    </message>
    <message>
        <source>XU</source>
        <translation>XU</translation>
    </message>
    <message>
        <source>shared memory</source>
        <translation>共享内存</translation>
    </message>
    <message>
        <source>L2</source>
        <translation>L2</translation>
    </message>
    <message>
        <source>DRAM</source>
        <translation>显存</translation>
    </message>
    <message>
        <source>launch</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 至 %2</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>Compare the others with this GPU</source>
        <translation>以此 GPU 为基准比较其他</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>Remove this GPU</source>
        <translation>移除此 GPU</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>已固定</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1 SMs</source>
        <translation>%1 个 SM</translation>
    </message>
    <message>
        <source>1 GPU, %1 SMs</source>
        <translation>1 个 GPU，%1 个 SM</translation>
    </message>
    <message>
        <source>%1 GPUs, tensor parallel</source>
        <translation>%1 个 GPU，张量并行</translation>
    </message>
    <message>
        <source>first token %1
per token %2
%3 tokens/s</source>
        <translation>首词元 %1
每词元 %2
%3 词元/秒</translation>
    </message>
    <message>
        <source>%1 waves</source>
        <translation>%1 波</translation>
    </message>
    <message>
        <source>no answer</source>
        <translation>无结果</translation>
    </message>
    <message>
        <source>end to end</source>
        <translation>端到端</translation>
    </message>
    <message>
        <source>bound by %1</source>
        <translation>受限于%1</translation>
    </message>
    <message>
        <source>baseline</source>
        <translation>基准</translation>
    </message>
    <message>
        <source>Share of a decode step&apos;s kernels that no measurement is near to</source>
        <translation>解码步中没有相近测量的内核所占比例</translation>
    </message>
</context>
<context>
    <name>synperf::ui::CompareWorkspace</name>
    <message>
        <source>Kernel</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>LLM workload</source>
        <translation>LLM 负载</translation>
    </message>
    <message>
        <source>Timelines</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Heat maps</source>
        <translation>热图</translation>
    </message>
    <message>
        <source>edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Add GPU</source>
        <translation>添加 GPU</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Search a GPU</source>
        <translation>搜索 GPU</translation>
    </message>
    <message>
        <source>Prefill</source>
        <translation>预填充</translation>
    </message>
    <message>
        <source>Decode step</source>
        <translation>解码步</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>What if</source>
        <translation>假如</translation>
    </message>
    <message>
        <source>Predicting</source>
        <translation>正在预测</translation>
    </message>
    <message>
        <source>Ctrl+G: a shipped GPU or one of yours; the Kernel workspace&apos;s own, edits too, comes by the menu View &gt; Compare</source>
        <translation>Ctrl+G：自带的或您自己的 GPU；“内核”工作区的 GPU（含编辑）可由菜单“视图 &gt; 对比”加入</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Order the GPUs by this row</source>
        <translation>按此行排列 GPU</translation>
    </message>
    <message>
        <source>Save as CSV...</source>
        <translation>另存为 CSV...</translation>
    </message>
    <message>
        <source>Save as JSON...</source>
        <translation>另存为 JSON...</translation>
    </message>
    <message>
        <source>compare the kernel</source>
        <translation>对比内核</translation>
    </message>
    <message>
        <source>compare the LLM workload</source>
        <translation>对比 LLM 负载</translation>
    </message>
    <message>
        <source>timelines</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>heat maps</source>
        <translation>热图</translation>
    </message>
    <message>
        <source>Cancelled: what is shown is the last finished comparison</source>
        <translation>已取消：所示为上一次完成的对比</translation>
    </message>
    <message>
        <source>pin %1</source>
        <translation>固定 %1</translation>
    </message>
    <message>
        <source>remove %1</source>
        <translation>移除 %1</translation>
    </message>
    <message>
        <source>move %1</source>
        <translation>移动 %1</translation>
    </message>
    <message>
        <source>what if: another GPU</source>
        <translation>假如：另一个 GPU</translation>
    </message>
    <message>
        <source>what if: %1 x%2</source>
        <translation>假如：%1 x%2</translation>
    </message>
    <message>
        <source>what if: reset</source>
        <translation>假如：重置</translation>
    </message>
    <message>
        <source>Opens the Serving workspace, where the model and its requests are chosen</source>
        <translation>打开“推理服务”工作区，在那里选择模型与请求</translation>
    </message>
    <message>
        <source>Opens the Kernel workspace, where the kernel and its parameters are chosen</source>
        <translation>打开“内核”工作区，在那里选择内核与参数</translation>
    </message>
    <message>
        <source>None of these GPUs can run it.</source>
        <translation>这些 GPU 都不能运行它。</translation>
    </message>
    <message>
        <source>%1 GPUs are compared, which is the most; remove one first</source>
        <translation>已对比 %1 个 GPU，为最多；请先移除一个</translation>
    </message>
    <message>
        <source>%1 is already compared</source>
        <translation>%1 已在对比中</translation>
    </message>
    <message>
        <source>add %1</source>
        <translation>添加 %1</translation>
    </message>
    <message>
        <source>keep %1</source>
        <translation>保留 %1</translation>
    </message>
    <message>
        <source>order by %1</source>
        <translation>按%1排列</translation>
    </message>
    <message>
        <source>Save the comparison</source>
        <translation>保存对比</translation>
    </message>
    <message>
        <source>comparison</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>JSON files (*.json)</source>
        <translation>JSON 文件 (*.json)</translation>
    </message>
    <message>
        <source>CSV files (*.csv)</source>
        <translation>CSV 文件 (*.csv)</translation>
    </message>
    <message>
        <source>Add a GPU to the comparison</source>
        <translation>向对比添加 GPU</translation>
    </message>
    <message>
        <source>Add the Kernel workspace&apos;s GPU to the comparison</source>
        <translation>把“内核”工作区的 GPU 加入对比</translation>
    </message>
    <message>
        <source>Compare the kernel</source>
        <translation>对比内核</translation>
    </message>
    <message>
        <source>Compare the LLM workload</source>
        <translation>对比 LLM 负载</translation>
    </message>
    <message>
        <source>Timelines or heat maps</source>
        <translation>时间线或热图</translation>
    </message>
    <message>
        <source>Pin the next GPU as the baseline</source>
        <translation>把下一个 GPU 固定为基准</translation>
    </message>
    <message>
        <source>Order the GPUs by latency</source>
        <translation>按延迟排列 GPU</translation>
    </message>
    <message>
        <source>Keep the changed GPU</source>
        <translation>保留改变后的 GPU</translation>
    </message>
    <message>
        <source>Reset the design change</source>
        <translation>重置设计改变</translation>
    </message>
    <message>
        <source>Save the comparison as CSV...</source>
        <translation>把对比另存为 CSV...</translation>
    </message>
    <message>
        <source>Save the comparison as JSON...</source>
        <translation>把对比另存为 JSON...</translation>
    </message>
    <message>
        <source>Cancel the comparison</source>
        <translation>取消对比</translation>
    </message>
    <message>
        <source>%1 (and %2 more)</source>
        <translation>%1（另有 %2 条）</translation>
    </message>
    <message>
        <source>filter the comparison</source>
        <translation>筛选对比</translation>
    </message>
    <message>
        <source>Filter the comparison</source>
        <translation>筛选对比</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Show GPUs and measures with these words</source>
        <translation>显示含这些词的 GPU 与指标</translation>
    </message>
    <message>
        <source>&quot;h100 b200 cost&quot;: GPUs with one of the words, measures with all that no GPU has</source>
        <translation>“h100 b200 费用”：名称含其中一词的 GPU；其余各词都含的指标</translation>
    </message>
</context>
<context>
    <name>synperf::ui::ComparisonBoard</name>
    <message>
        <source>GPUs side by side</source>
        <translation>GPU 并排对比</translation>
    </message>
    <message>
        <source>%1: %2 tokens in, %3 out, %4 at a time</source>
        <translation>%1：输入 %2 词元，输出 %3，同时 %4 个</translation>
    </message>
    <message>
        <source>%1 GPUs, baseline %2 (pinned). One time axis for all.</source>
        <translation>%1 个 GPU，基准为 %2（已固定）。共用一条时间轴。</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>指标</translation>
    </message>
</context>
<context>
    <name>synperf::ui::ComparisonPanel</name>
    <message>
        <source>New model and model in use</source>
        <translation>新模型与在用模型</translation>
    </message>
    <message>
        <source>Use for this session</source>
        <translation>本次会话使用</translation>
    </message>
    <message>
        <source>Use for good</source>
        <translation>长期使用</translation>
    </message>
    <message>
        <source>Worst rows…</source>
        <translation>误差最大的行…</translation>
    </message>
    <message>
        <source>Answers with the new model until the program ends; undo goes back</source>
        <translation>在程序结束前用新模型回答；可撤销</translation>
    </message>
    <message>
        <source>Writes it among your models, so that later starts use it too; undo goes back</source>
        <translation>写入您的模型，以后启动时也使用；可撤销</translation>
    </message>
    <message>
        <source>After a training, the new model stands here beside the one in use: their errors on rows that the new one did not learn from.</source>
        <translation>训练之后，这里并列显示新模型与在用模型：两者在新模型未学习的行上的误差。</translation>
    </message>
    <message>
        <source>%1: mean error %2 %, median %3 %; the analysis alone, as there is no model in use: %4 %, %5 %. On %6 rows kept out of training.</source>
        <translation>%1：平均误差 %2 %，中位数 %3 %；没有在用模型，仅分析：%4 %，%5 %。基于 %6 行未参与训练的数据。</translation>
    </message>
    <message>
        <source>%1: mean error %2 %, median %3 %; the model in use: %4 %, %5 %. On %6 rows kept out of training, which the model in use may have learned from.</source>
        <translation>%1：平均误差 %2 %，中位数 %3 %；在用模型：%4 %，%5 %。基于 %6 行未参与训练的数据，在用模型可能学习过这些行。</translation>
    </message>
    <message>
        <source>The new model is in use. Undo goes back to the one before.</source>
        <translation>新模型已在用。撤销可回到之前的模型。</translation>
    </message>
</context>
<context>
    <name>synperf::ui::ComparisonTable</name>
    <message>
        <source>%1 (%2 to %3)</source>
        <translation>%1（%2 至 %3）</translation>
    </message>
    <message>
        <source>baseline</source>
        <translation>基准</translation>
    </message>
    <message>
        <source>Predicted latency, µs</source>
        <translation>预测延迟，µs</translation>
    </message>
    <message>
        <source>Median, and the 90 % interval</source>
        <translation>中位数与 90 % 区间</translation>
    </message>
    <message>
        <source>Against the baseline</source>
        <translation>相对基准</translation>
    </message>
    <message>
        <source>Ceiling, µs</source>
        <translation>上限，µs</translation>
    </message>
    <message>
        <source>What no implementation of this decomposition could beat</source>
        <translation>此分解的任何实现都不能更快</translation>
    </message>
    <message>
        <source>Efficiency</source>
        <translation>效率</translation>
    </message>
    <message>
        <source>Ceiling over latency</source>
        <translation>上限除以延迟</translation>
    </message>
    <message>
        <source>TFLOP/s</source>
        <translation>TFLOP/s</translation>
    </message>
    <message>
        <source>Useful operations over the latency</source>
        <translation>有效运算除以延迟</translation>
    </message>
    <message>
        <source>Bound by</source>
        <translation>受限于</translation>
    </message>
    <message>
        <source>Confidence</source>
        <translation>可信度</translation>
    </message>
    <message>
        <source>USD per 1000 calls</source>
        <translation>每 1000 次调用美元</translation>
    </message>
    <message>
        <source>no price</source>
        <translation>无价格</translation>
    </message>
    <message>
        <source>%1, %2%3</source>
        <translation>%1，%2%3</translation>
    </message>
    <message>
        <source>, stale</source>
        <translation>，已过时</translation>
    </message>
    <message>
        <source>End to end, ms</source>
        <translation>端到端，ms</translation>
    </message>
    <message>
        <source>From the start to the last token of the batch, and the 90 % interval</source>
        <translation>从开始到该批最后一个词元，以及 90 % 区间</translation>
    </message>
    <message>
        <source>Time to first token, ms</source>
        <translation>首词元延迟，ms</translation>
    </message>
    <message>
        <source>Time per output token, ms</source>
        <translation>每词元延迟，ms</translation>
    </message>
    <message>
        <source>Tokens/s</source>
        <translation>词元/秒</translation>
    </message>
    <message>
        <source>Output tokens of all requests over the whole time</source>
        <translation>全部请求的输出词元除以总时间</translation>
    </message>
    <message>
        <source>GPUs (tensor parallel)</source>
        <translation>GPU 数（张量并行）</translation>
    </message>
    <message>
        <source>The fewest that hold the model and its cache</source>
        <translation>放得下模型及其缓存的最少数目</translation>
    </message>
    <message>
        <source>USD per 1000 queries</source>
        <translation>每 1000 次查询美元</translation>
    </message>
    <message>
        <source>%1 (baseline)</source>
        <translation>%1（基准）</translation>
    </message>
    <message>
        <source>Click to order the GPUs by this</source>
        <translation>点击按此排列 GPU</translation>
    </message>
    <message>
        <source>Not measured</source>
        <translation>无测量</translation>
    </message>
    <message>
        <source>Share of a decode step&apos;s kernels that no measurement is near to: extrapolated, or by the analysis alone</source>
        <translation>解码步中没有相近测量的内核所占比例：外推，或仅由分析得出</translation>
    </message>
    <message>
        <source>More than the uncertainty: the 90 % intervals do not overlap</source>
        <translation>超过不确定度：90 % 区间不重叠</translation>
    </message>
    <message>
        <source>The 90 % intervals overlap</source>
        <translation>90 % 区间重叠</translation>
    </message>
    <message>
        <source>Without an interval of both, whether that is more than the uncertainty is not known</source>
        <translation>两者没有都给出区间，无法知道是否超过不确定度</translation>
    </message>
    <message>
        <source>measured range</source>
        <translation>测量范围内</translation>
    </message>
    <message>
        <source>near measured</source>
        <translation>接近测量</translation>
    </message>
    <message>
        <source>extrapolating</source>
        <translation>外推</translation>
    </message>
    <message>
        <source>analytical</source>
        <translation>解析</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>有测量</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>无测量</translation>
    </message>
    <message>
        <source>%1 not measured</source>
        <translation>%1 无测量</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>Whether it is more than the uncertainty: 90 % intervals that overlap are not distinguishable</source>
        <translation>差异是否超过不确定度：90 % 区间重叠即无法区分</translation>
    </message>
    <message>
        <source>On-demand price of a GPU-hour x latency: median, and from the lowest price and the lower end to the highest price and the upper end. * the price is old</source>
        <translation>按需 GPU 小时价格 x 延迟：中位值，以及从最低价与区间下端到最高价与区间上端。* 价格已过时</translation>
    </message>
    <message>
        <source>On-demand price of a GPU-hour x time x GPUs over the queries at a time: median, lowest and highest. * the price is old</source>
        <translation>按需 GPU 小时价格 x 时间 x GPU 数 / 同时的查询数：中位值、最低与最高。* 价格已过时</translation>
    </message>
</context>
<context>
    <name>synperf::ui::CostAnswer</name>
    <message>
        <source>What costs least</source>
        <translation>成本最低者</translation>
    </message>
    <message>
        <source>The median, and from the low price and the short end of the latency&apos;s interval to the high price and the long end</source>
        <translation>中位数，以及从低价与延迟区间短端到高价与长端的范围</translation>
    </message>
    <message>
        <source>%1 costs least per query</source>
        <translation>%1 每次查询成本最低</translation>
    </message>
    <message>
        <source>No candidate fits, has a price and meets the limits; the reasons stand in the table.</source>
        <translation>没有候选放得下、有价格且满足限制；原因见表格。</translation>
    </message>
    <message>
        <source>in %1, %2</source>
        <translation>用时 %1，%2</translation>
    </message>
</context>
<context>
    <name>synperf::ui::CostChartView</name>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>%1 µs</source>
        <translation>%1 µs</translation>
    </message>
    <message>
        <source>Cost per query against time per query</source>
        <translation>每次查询的成本与时间</translation>
    </message>
    <message>
        <source>%1: %2 a query in %3</source>
        <translation>%1：每次查询 %2，用时 %3</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>one point a plan, bars show price range and latency interval</source>
        <translation>每点一个方案，线条为价格范围与延迟区间</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>No candidate has both times and a price; the reasons stand in the table.</source>
        <translation>没有候选同时有时间与价格；原因见表格。</translation>
    </message>
    <message>
        <source>%1 a query, %2</source>
        <translation>每次查询 %1，%2</translation>
    </message>
    <message>
        <source>%1 a query, 90 % interval %2</source>
        <translation>每次查询 %1，90 % 区间 %2</translation>
    </message>
    <message>
        <source>TTFT %1, TPOT %2</source>
        <translation>TTFT %1，TPOT %2</translation>
    </message>
    <message>
        <source>date unknown</source>
        <translation>日期未知</translation>
    </message>
    <message>
        <source>%1 a GPU-hour, %2, %3</source>
        <translation>每 GPU 小时 %1，%2，%3</translation>
    </message>
    <message>
        <source>%1, stale</source>
        <translation>%1，过期</translation>
    </message>
    <message>
        <source>one offer alone: the range is that of other prices</source>
        <translation>单一报价：范围取自其他价格</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>Time (s)</source>
        <translation>时间 (s)</translation>
    </message>
    <message>
        <source>lower</source>
        <translation>下限</translation>
    </message>
    <message>
        <source>upper</source>
        <translation>上限</translation>
    </message>
    <message>
        <source>Cost per query</source>
        <translation>每次查询成本</translation>
    </message>
    <message>
        <source>low</source>
        <translation>低</translation>
    </message>
    <message>
        <source>high</source>
        <translation>高</translation>
    </message>
    <message>
        <source>On the front</source>
        <translation>在前沿上</translation>
    </message>
    <message>
        <source>Why not</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
</context>
<context>
    <name>synperf::ui::CostForm</name>
    <message>
        <source>Add a GPU…</source>
        <translation>添加 GPU…</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>GPU, architecture, …</source>
        <translation>GPU、架构…</translation>
    </message>
    <message>
        <source>Candidates and limits</source>
        <translation>候选与限制</translation>
    </message>
    <message>
        <source>Candidate GPUs</source>
        <translation>候选 GPU</translation>
    </message>
    <message>
        <source>Take the chosen GPU out of the list; the Delete key does it, too</source>
        <translation>把所选 GPU 移出列表；Delete 键亦可</translation>
    </message>
    <message>
        <source>Limits</source>
        <translation>限制</translation>
    </message>
    <message>
        <source>TTFT at most</source>
        <translation>TTFT 上限</translation>
    </message>
    <message>
        <source>Most time to the first token; empty: no limit</source>
        <translation>首词元的最长时间；留空：无限制</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>TPOT at most</source>
        <translation>TPOT 上限</translation>
    </message>
    <message>
        <source>Most time for each output token; empty: no limit</source>
        <translation>每个输出词元的最长时间；留空：无限制</translation>
    </message>
    <message>
        <source>GPUs at most</source>
        <translation>GPU 上限</translation>
    </message>
    <message>
        <source>Most GPUs that serve one copy of the model</source>
        <translation>服务一份模型的最多 GPU 数</translation>
    </message>
    <message>
        <source>Prices</source>
        <translation>价格</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>Which prices count; bought: the hourly cost of owning, from purchase price, life and power</source>
        <translation>采用哪种价格；购买：由购价、寿命与电力得出的每小时持有成本</translation>
    </message>
    <message>
        <source>Currency</source>
        <translation>货币</translation>
    </message>
    <message>
        <source>Of all amounts; price books in another need a rate</source>
        <translation>所有金额的货币；其他货币的价格簿需要汇率</translation>
    </message>
    <message>
        <source>Price book…</source>
        <translation>价格簿…</translation>
    </message>
    <message>
        <source>%1 prices</source>
        <translation>%1价格</translation>
    </message>
    <message>
        <source>currency %1</source>
        <translation>货币 %1</translation>
    </message>
    <message>
        <source>Target load</source>
        <translation>目标负载</translation>
    </message>
    <message>
        <source>Queries/s</source>
        <translation>查询/秒</translation>
    </message>
    <message>
        <source>Queries a second that a fleet must serve; empty: no fleet is asked for</source>
        <translation>机群每秒须服务的查询数；留空：不求机群</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>needs a number</source>
        <translation>需要一个数</translation>
    </message>
    <message>
        <source>should be above 0 and at most %1</source>
        <translation>应大于 0 且不超过 %1</translation>
    </message>
    <message>
        <source>should be from %1 to %2</source>
        <translation>应为 %1 至 %2</translation>
    </message>
    <message>
        <source>should be a whole number</source>
        <translation>应为整数</translation>
    </message>
    <message>
        <source>no %1</source>
        <translation>无 %1</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
</context>
<context>
    <name>synperf::ui::CostSummary</name>
    <message>
        <source>Export report…</source>
        <translation>导出报告…</translation>
    </message>
    <message>
        <source>Opens the price book. Prices older than %1 days, or of unknown date, count as stale</source>
        <translation>打开价格簿。超过 %1 天或日期未知的价格算作过期</translation>
    </message>
    <message>
        <source>Left out, as the catalogue does not have them: %1</source>
        <translation>目录中没有，已略去：%1</translation>
    </message>
</context>
<context>
    <name>synperf::ui::CostTableModel</name>
    <message>
        <source>%1 Wh</source>
        <translation>%1 Wh</translation>
    </message>
    <message>
        <source>%1 GPUs</source>
        <translation>%1 个 GPU</translation>
    </message>
    <message>
        <source>%1 a GPU-hour</source>
        <translation>每 GPU 小时 %1</translation>
    </message>
    <message>
        <source>%1 an hour</source>
        <translation>每小时 %1</translation>
    </message>
    <message>
        <source>dollar</source>
        <translation>美元</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>Latency</source>
        <translation>延迟</translation>
    </message>
    <message>
        <source>Cost per query</source>
        <translation>每次查询成本</translation>
    </message>
    <message>
        <source>per 1M out tokens</source>
        <translation>每百万输出词元</translation>
    </message>
    <message>
        <source>per 1M in tokens</source>
        <translation>每百万输入词元</translation>
    </message>
    <message>
        <source>Energy per query</source>
        <translation>每次查询能耗</translation>
    </message>
    <message>
        <source>per GPU-hour</source>
        <translation>每 GPU 小时</translation>
    </message>
    <message>
        <source>per %1</source>
        <translation>每%1</translation>
    </message>
    <message>
        <source>Fleet for the load</source>
        <translation>满足负载的机群</translation>
    </message>
    <message>
        <source>Price</source>
        <translation>价格</translation>
    </message>
    <message>
        <source>Plan explained</source>
        <translation>方案说明</translation>
    </message>
    <message>
        <source>Place by median cost per query</source>
        <translation>按每次查询成本中位数的名次</translation>
    </message>
    <message>
        <source>GPU and how many of them serve one copy of the model: the fewest that hold it and meet the limits</source>
        <translation>GPU 及服务一份模型的数量：容纳并满足限制的最少数</translation>
    </message>
    <message>
        <source>From the start of a query to its last token, with the 90 % interval</source>
        <translation>从查询开始到最后一个词元，含 90 % 区间</translation>
    </message>
    <message>
        <source>Price of a GPU-hour x seconds x GPUs / (3600 x queries at a time), from the low price and the short end to the high price and the long end</source>
        <translation>GPU 小时价格 x 秒数 x GPU 数 /（3600 x 同时查询数），从低价短时到高价长时</translation>
    </message>
    <message>
        <source>What all but reading the prompts costs, over the output tokens</source>
        <translation>除读取提示外的成本，按输出词元分摊</translation>
    </message>
    <message>
        <source>What reading the prompts costs, over their tokens</source>
        <translation>读取提示的成本，按其词元分摊</translation>
    </message>
    <message>
        <source>TDP x seconds x GPUs / queries at a time: an upper bound</source>
        <translation>TDP x 秒数 x GPU 数 / 同时查询数：上界</translation>
    </message>
    <message>
        <source>Queries per hour of one GPU</source>
        <translation>一个 GPU 每小时的查询数</translation>
    </message>
    <message>
        <source>Queries for one %1</source>
        <translation>每%1的查询数</translation>
    </message>
    <message>
        <source>Whole deployments for the target load, and their cost an hour</source>
        <translation>目标负载所需的整数部署及其每小时成本</translation>
    </message>
    <message>
        <source>Of one GPU-hour, the median</source>
        <translation>每 GPU 小时，中位数</translation>
    </message>
    <message>
        <source>Why this many GPUs, or why the plan fails</source>
        <translation>为何用这么多 GPU，或方案为何不行</translation>
    </message>
</context>
<context>
    <name>synperf::ui::CostWorkspace</name>
    <message>
        <source>Ranking</source>
        <translation>排名</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>成本</translation>
    </message>
    <message>
        <source>Cancelled: the numbers are those of the last finished ranking</source>
        <translation>已取消：数字来自上一次完成的排名</translation>
    </message>
    <message>
        <source>Ranking the candidates</source>
        <translation>正在排名</translation>
    </message>
    <message>
        <source>Edit the workload</source>
        <translation>编辑负载</translation>
    </message>
    <message>
        <source>Model, requests and framework are those of the Serving workspace</source>
        <translation>模型、请求与框架取自“推理服务”工作区</translation>
    </message>
    <message>
        <source>What is ranked</source>
        <translation>排名对象</translation>
    </message>
    <message>
        <source>In one sentence</source>
        <translation>一句话</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Show plans with these words</source>
        <translation>显示含这些词的方案</translation>
    </message>
    <message>
        <source>by median cost per query</source>
        <translation>按每次查询成本中位数</translation>
    </message>
    <message>
        <source>sorted by %1</source>
        <translation>按%1排序</translation>
    </message>
    <message>
        <source>No candidate is ticked</source>
        <translation>没有勾选候选</translation>
    </message>
    <message>
        <source>Add a candidate GPU</source>
        <translation>添加候选 GPU</translation>
    </message>
    <message>
        <source>Remove the chosen candidate</source>
        <translation>移除所选候选</translation>
    </message>
    <message>
        <source>Price book…</source>
        <translation>价格簿…</translation>
    </message>
    <message>
        <source>Export the cost report…</source>
        <translation>导出成本报告…</translation>
    </message>
    <message>
        <source>Save the ranking as CSV…</source>
        <translation>将排名存为 CSV…</translation>
    </message>
    <message>
        <source>Filter the ranking</source>
        <translation>筛选排名</translation>
    </message>
    <message>
        <source>Cancel the ranking</source>
        <translation>取消排名</translation>
    </message>
    <message>
        <source>Export report</source>
        <translation>导出报告</translation>
    </message>
    <message>
        <source>HTML page (*.html);;PDF (*.pdf);;CSV table (*.csv)</source>
        <translation>HTML 页面 (*.html);;PDF (*.pdf);;CSV 表格 (*.csv)</translation>
    </message>
    <message>
        <source>The report is written to %1</source>
        <translation>报告已写入 %1</translation>
    </message>
</context>
<context>
    <name>synperf::ui::DesignPanel</name>
    <message>
        <source>Keep as a GPU</source>
        <translation>保留为 GPU</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>GPU to change</source>
        <translation>要改变的 GPU</translation>
    </message>
    <message>
        <source>Adds the changed GPU to the list; undo takes it away again</source>
        <translation>把改变后的 GPU 加入列表；撤销可去掉</translation>
    </message>
    <message>
        <source>%1: x%2</source>
        <translation>%1：x%2</translation>
    </message>
</context>
<context>
    <name>synperf::ui::DetailsPanel</name>
    <message>
        <source>CTA limit</source>
        <translation>CTA 上限</translation>
    </message>
    <message>
        <source>registers</source>
        <translation>寄存器</translation>
    </message>
    <message>
        <source>shared memory</source>
        <translation>共享内存</translation>
    </message>
    <message>
        <source>warps</source>
        <translation>warp</translation>
    </message>
    <message>
        <source>barriers</source>
        <translation>屏障</translation>
    </message>
    <message>
        <source>ops</source>
        <translation>次运算</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Shared memory</source>
        <translation>共享内存</translation>
    </message>
    <message>
        <source>Registers</source>
        <translation>寄存器</translation>
    </message>
    <message>
        <source>%1 × %2 threads</source>
        <translation>%1 × %2 线程</translation>
    </message>
    <message>
        <source>Resident CTAs</source>
        <translation>驻留 CTA</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Active warps</source>
        <translation>活动 warp</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>Works on</source>
        <translation>处理对象</translation>
    </message>
    <message>
        <source>SM, slot, wave</source>
        <translation>SM、槽位、波</translation>
    </message>
    <message>
        <source>%1, %2, %3 of %4</source>
        <translation>%1、%2、%3 / %4</translation>
    </message>
    <message>
        <source>Start, end</source>
        <translation>开始、结束</translation>
    </message>
    <message>
        <source>%1, %2 %3</source>
        <translation>%1，%2 %3</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>时长</translation>
    </message>
    <message>
        <source>%1 demand</source>
        <translation>%1 需求</translation>
    </message>
    <message>
        <source>%1, %2 of peak</source>
        <translation>%1，峰值的 %2</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>Grid</source>
        <translation>网格</translation>
    </message>
    <message>
        <source>CTAs</source>
        <translation>CTA</translation>
    </message>
    <message>
        <source>Waves</source>
        <translation>波数</translation>
    </message>
    <message>
        <source>Tail</source>
        <translation>尾波</translation>
    </message>
    <message>
        <source>Scheduler</source>
        <translation>调度器</translation>
    </message>
    <message>
        <source>Clock</source>
        <translation>时钟</translation>
    </message>
    <message>
        <source>%1 MHz</source>
        <translation>%1 MHz</translation>
    </message>
    <message>
        <source>Makespan</source>
        <translation>总跨度</translation>
    </message>
    <message>
        <source>%1 total</source>
        <translation>%1 总量</translation>
    </message>
    <message>
        <source>DRAM read</source>
        <translation>DRAM 读</translation>
    </message>
    <message>
        <source>DRAM write</source>
        <translation>DRAM 写</translation>
    </message>
    <message>
        <source>Then</source>
        <translation>随后</translation>
    </message>
    <message>
        <source>Chosen from</source>
        <translation>选自</translation>
    </message>
    <message>
        <source>%1 launches</source>
        <translation>%1 种启动</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Open as table</source>
        <translation>以表格打开</translation>
    </message>
    <message>
        <source>Details: %1</source>
        <translation>详情：%1</translation>
    </message>
    <message>
        <source>Details: launch</source>
        <translation>详情：启动</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>%1 on %2 CTAs</source>
        <translation>%1 个，由 %2 个 CTA 执行</translation>
    </message>
    <message>
        <source>First</source>
        <translation>先行</translation>
    </message>
</context>
<context>
    <name>synperf::ui::Document</name>
    <message>
        <source>GPU %1</source>
        <translation>GPU %1</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>kernel %1</source>
        <translation>内核 %1</translation>
    </message>
    <message>
        <source>%1 = %2</source>
        <translation>%1 = %2</translation>
    </message>
    <message>
        <source>measured %1 µs</source>
        <translation>实测 %1 µs</translation>
    </message>
    <message>
        <source>forget the measurement</source>
        <translation>清除实测</translation>
    </message>
    <message>
        <source>pin %1</source>
        <translation>固定 %1</translation>
    </message>
    <message>
        <source>remove pin %1</source>
        <translation>取消固定 %1</translation>
    </message>
    <message>
        <source>paste command line</source>
        <translation>粘贴命令行</translation>
    </message>
    <message>
        <source>analytical model only</source>
        <translation>仅解析模型</translation>
    </message>
    <message>
        <source>learned models</source>
        <translation>学习模型</translation>
    </message>
</context>
<context>
    <name>synperf::ui::EngineWorker</name>
    <message>
        <source>The prediction stopped: %1</source>
        <translation>预测中止：%1</translation>
    </message>
</context>
<context>
    <name>synperf::ui::ErrorBars</name>
    <message>
        <source>Mean error by GPU</source>
        <translation>各 GPU 的平均误差</translation>
    </message>
    <message>
        <source>solid: the new model; outlined: the one in use</source>
        <translation>实心：新模型；空心：在用模型</translation>
    </message>
</context>
<context>
    <name>synperf::ui::FactList</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
</context>
<context>
    <name>synperf::ui::GpuEditor</name>
    <message>
        <source>= %1 FLOP/clk/SM</source>
        <translation>= %1 FLOP/clk/SM</translation>
    </message>
    <message>
        <source>= %1 FMA/clk/SM</source>
        <translation>= %1 FMA/clk/SM</translation>
    </message>
    <message>
        <source>checked</source>
        <translation>已核对</translation>
    </message>
    <message>
        <source>recalled</source>
        <translation>凭记忆</translation>
    </message>
    <message>
        <source>derived</source>
        <translation>推导</translation>
    </message>
    <message>
        <source>fitted</source>
        <translation>拟合</translation>
    </message>
    <message>
        <source>yours</source>
        <translation>自定义</translation>
    </message>
    <message>
        <source>Date: %1</source>
        <translation>日期：%1</translation>
    </message>
    <message>
        <source>Exception: %1</source>
        <translation>例外：%1</translation>
    </message>
    <message>
        <source>%1 says %2</source>
        <translation>%1 称 %2</translation>
    </message>
    <message>
        <source>another source</source>
        <translation>另一来源</translation>
    </message>
    <message>
        <source>%1
%2 to %3</source>
        <translation>%1
%2 到 %3</translation>
    </message>
    <message>
        <source>needs a value from %1 to %2 %3</source>
        <translation>需要 %1 到 %2 %3 的值</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a number</source>
        <translation>“%1”不是数字</translation>
    </message>
    <message>
        <source>GPU spec</source>
        <translation>GPU 规格</translation>
    </message>
    <message>
        <source>Back to the catalogue&apos;s values</source>
        <translation>恢复目录中的值</translation>
    </message>
    <message>
        <source>Save among my GPUs</source>
        <translation>存入我的 GPU</translation>
    </message>
    <message>
        <source>%1 (optional)</source>
        <translation>%1（可选）</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>your copy of %1</source>
        <translation>%1 的副本</translation>
    </message>
</context>
<context>
    <name>synperf::ui::GpuListModel</name>
    <message>
        <source>%1 SMs</source>
        <translation>%1 个 SM</translation>
    </message>
    <message>
        <source>%1 GB/s</source>
        <translation>%1 GB/s</translation>
    </message>
    <message>
        <source>%1, yours</source>
        <translation>%1，自定义</translation>
    </message>
</context>
<context>
    <name>synperf::ui::IterationView</name>
    <message>
        <source>Iterations</source>
        <translation>迭代</translation>
    </message>
    <message>
        <source>%1 steps</source>
        <translation>%1 步</translation>
    </message>
    <message>
        <source>step %1, with prompts</source>
        <translation>第 %1 步，含提示</translation>
    </message>
    <message>
        <source>step %1, decode</source>
        <translation>第 %1 步，解码</translation>
    </message>
    <message>
        <source>%1 requests, %2 tokens</source>
        <translation>%1 个请求，%2 个词元</translation>
    </message>
    <message>
        <source>%1 from %2</source>
        <translation>%1，始于 %2</translation>
    </message>
    <message>
        <source>prompts</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>decode</source>
        <translation>解码</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Phase</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Start (ms)</source>
        <translation>开始 (ms)</translation>
    </message>
    <message>
        <source>Time (ms)</source>
        <translation>时间 (ms)</translation>
    </message>
    <message>
        <source>Requests</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
</context>
<context>
    <name>synperf::ui::KernelEditor</name>
    <message>
        <source>Kernel file</source>
        <translation>内核文件</translation>
    </message>
    <message>
        <source>JSON; the line with a mistake is marked and told below</source>
        <translation>JSON；有错误的行会被标出并在下方说明</translation>
    </message>
    <message>
        <source>What is wrong</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Go to the line</source>
        <translation>转到该行</translation>
    </message>
    <message>
        <source>What it predicts</source>
        <translation>预测结果</translation>
    </message>
    <message>
        <source>Save among my kernels</source>
        <translation>保存到我的内核</translation>
    </message>
    <message>
        <source>Kernel file[*]</source>
        <translation>内核文件[*]</translation>
    </message>
    <message>
        <source>A new kernel. Expressions may use its parameters, the fields of the GPU and earlier definitions.</source>
        <translation>新内核。表达式可以使用其参数、GPU 的字段和前面的定义。</translation>
    </message>
    <message>
        <source>Discard the kernel&apos;s changes?</source>
        <translation>放弃对内核的修改？</translation>
    </message>
    <message>
        <source>The kernel file has changes that are not saved.</source>
        <translation>内核文件有未保存的修改。</translation>
    </message>
    <message>
        <source>Line %1: %2</source>
        <translation>第 %1 行：%2</translation>
    </message>
    <message>
        <source>%1 on %2, bound by %3</source>
        <translation>%1，在 %2 上，受限于 %3</translation>
    </message>
</context>
<context>
    <name>synperf::ui::KernelWorkspace</name>
    <message>
        <source>Pipe over time</source>
        <translation>随时间的流水线</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>Roofline</source>
        <translation>屋顶线</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>扫描</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>播放</translation>
    </message>
</context>
<context>
    <name>synperf::ui::KeysDialog</name>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>What they do</source>
        <translation>作用</translation>
    </message>
</context>
<context>
    <name>synperf::ui::LaneView</name>
    <message>
        <source>the same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>Pipes over time, %1</source>
        <translation>各管线随时间，%1</translation>
    </message>
    <message>
        <source>Time, %1</source>
        <translation>时间，%1</translation>
    </message>
    <message>
        <source>90 % interval %1</source>
        <translation>90 % 区间 %1</translation>
    </message>
    <message>
        <source>prefill</source>
        <translation>预填充</translation>
    </message>
    <message>
        <source>decode</source>
        <translation>解码</translation>
    </message>
    <message>
        <source>Decode step, %1</source>
        <translation>解码步，%1</translation>
    </message>
    <message>
        <source>predicted %1</source>
        <translation>预测 %1</translation>
    </message>
    <message>
        <source>prefill %1, then %2 a token</source>
        <translation>预填充 %1，之后每词元 %2</translation>
    </message>
    <message>
        <source>%1 to the baseline (hatched)</source>
        <translation>与基准相比 %1（斜线）</translation>
    </message>
    <message>
        <source>the schedule of the analysis, stretched to the predicted latency</source>
        <translation>分析的调度，拉伸到预测延迟</translation>
    </message>
</context>
<context>
    <name>synperf::ui::LatencyBar</name>
    <message>
        <source>ceiling %1</source>
        <translation>上限 %1</translation>
    </message>
    <message>
        <source>predicted %1</source>
        <translation>预测 %1</translation>
    </message>
    <message>
        <source>best of peers %1 (dashed)</source>
        <translation>同类最佳 %1（虚线）</translation>
    </message>
    <message>
        <source>measured %1 (diamond)</source>
        <translation>实测 %1（菱形）</translation>
    </message>
    <message>
        <source>Latency bar</source>
        <translation>延迟条</translation>
    </message>
    <message>
        <source>90 % interval %1 to %2 (shaded)</source>
        <translation>90 % 区间 %1 到 %2（阴影）</translation>
    </message>
</context>
<context>
    <name>synperf::ui::LatencyCard</name>
    <message>
        <source>the same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>%1%2 (%3), faster</source>
        <translation>%1%2（%3），更快</translation>
    </message>
    <message>
        <source>%1%2 (%3), slower</source>
        <translation>%1%2（%3），更慢</translation>
    </message>
    <message>
        <source>Predicted latency</source>
        <translation>预测延迟</translation>
    </message>
    <message>
        <source>Ceiling</source>
        <translation>上限</translation>
    </message>
    <message>
        <source>The time no implementation of this decomposition could beat: the busiest pipe of the busiest SM, plus floors</source>
        <translation>任何采用此分解的实现都无法更快的时间：最忙 SM 的最忙流水线加上固定开销</translation>
    </message>
    <message>
        <source>Best of peers (P80)</source>
        <translation>同类最佳 (P80)</translation>
    </message>
    <message>
        <source>Efficiency</source>
        <translation>效率</translation>
    </message>
    <message>
        <source>Ceiling over latency</source>
        <translation>上限与延迟之比</translation>
    </message>
    <message>
        <source>Bound by</source>
        <translation>受限于</translation>
    </message>
    <message>
        <source>Predicting...</source>
        <translation>正在预测…</translation>
    </message>
    <message>
        <source>90 % interval %1 to %2</source>
        <translation>90 % 区间 %1 到 %2</translation>
    </message>
    <message>
        <source>prediction too long</source>
        <translation>预测偏长</translation>
    </message>
    <message>
        <source>prediction too short</source>
        <translation>预测偏短</translation>
    </message>
    <message>
        <source>prediction exact</source>
        <translation>预测准确</translation>
    </message>
    <message>
        <source>Measured %1: error %2, %3</source>
        <translation>实测 %1：误差 %2，%3</translation>
    </message>
    <message>
        <source>Against “%1” (%2): %3</source>
        <translation>相对“%1”（%2）：%3</translation>
    </message>
    <message>
        <source>in the measured range</source>
        <translation>在实测范围内</translation>
    </message>
    <message>
        <source>near what was measured</source>
        <translation>接近实测范围</translation>
    </message>
    <message>
        <source>extrapolating beyond what was measured</source>
        <translation>超出实测范围的外推</translation>
    </message>
    <message>
        <source>analytical</source>
        <translation>解析</translation>
    </message>
    <message>
        <source>%1, %2, ceiling %3, efficiency %4, bound by %5</source>
        <translation>%1，%2，上限 %3，效率 %4，受限于 %5</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>Analytical model only: no interval</source>
        <translation>仅解析模型：无区间</translation>
    </message>
    <message>
        <source>Analytical model: no learned model for this call, so no interval</source>
        <translation>解析模型：此调用没有学习模型，因此无区间</translation>
    </message>
    <message>
        <source>Nearest measurements</source>
        <translation>最近的实测</translation>
    </message>
    <message>
        <source>Nearest</source>
        <translation>最近实测</translation>
    </message>
    <message>
        <source>Opens what was measured near this call, as the learned model sees it</source>
        <translation>打开学习模型看来与此调用相近的实测数据</translation>
    </message>
</context>
<context>
    <name>synperf::ui::LlmListModel</name>
    <message>
        <source>%1 B parameters</source>
        <translation>%1 B 参数</translation>
    </message>
    <message>
        <source>%1 B a token</source>
        <translation>每词元 %1 B</translation>
    </message>
    <message>
        <source>%1 layers</source>
        <translation>%1 层</translation>
    </message>
</context>
<context>
    <name>synperf::ui::MainWindow</name>
    <message>
        <source>Scenario</source>
        <translation>场景</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Workspaces</source>
        <translation>工作区</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>Search or run an action    %1</source>
        <translation>搜索或执行操作    %1</translation>
    </message>
    <message>
        <source>Predicting</source>
        <translation>正在预测</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Cancelled: the pictures show the last finished prediction</source>
        <translation>已取消：图中是上次完成的预测</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Predicted in %1 ms</source>
        <translation>预测用时 %1 ms</translation>
    </message>
    <message>
        <source>This session was saved by SynPerf Explorer %1, which predicted %2; this version predicts %3.</source>
        <translation>此会话由 SynPerf Explorer %1 保存，当时预测 %2；本版本预测 %3。</translation>
    </message>
    <message>
        <source>try %1</source>
        <translation>尝试 %1</translation>
    </message>
    <message>
        <source>untitled</source>
        <translation>未命名</translation>
    </message>
    <message>
        <source>%1[*] - SynPerf Explorer</source>
        <translation>%1[*] - SynPerf Explorer</translation>
    </message>
    <message>
        <source>session: %1, not saved</source>
        <translation>会话：%1，未保存</translation>
    </message>
    <message>
        <source>session: %1, saved</source>
        <translation>会话：%1，已保存</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;New session</source>
        <translation>新建会话(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>打开(&amp;O)…</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>最近打开(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Save session</source>
        <translation>保存会话(&amp;S)</translation>
    </message>
    <message>
        <source>Save session &amp;as…</source>
        <translation>会话另存为(&amp;A)…</translation>
    </message>
    <message>
        <source>Add a &amp;GPU…</source>
        <translation>添加 GPU(&amp;G)…</translation>
    </message>
    <message>
        <source>Save this GPU among &amp;mine</source>
        <translation>把此 GPU 存为我的(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>&amp;Copy as command line</source>
        <translation>复制为命令行(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Paste command line</source>
        <translation>粘贴命令行(&amp;P)</translation>
    </message>
    <message>
        <source>Choose a &amp;GPU</source>
        <translation>选择 GPU(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Edit the GPU&apos;s spec</source>
        <translation>编辑 GPU 规格(&amp;E)</translation>
    </message>
    <message>
        <source>P&amp;in this result</source>
        <translation>固定此结果(&amp;I)</translation>
    </message>
    <message>
        <source>Pinned results</source>
        <translation>已固定的结果</translation>
    </message>
    <message>
        <source>Go back to %1</source>
        <translation>回到 %1</translation>
    </message>
    <message>
        <source>go back to %1</source>
        <translation>回到 %1</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>移除 %1</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>Larger</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Smaller</source>
        <translation>缩小</translation>
    </message>
    <message>
        <source>Normal size</source>
        <translation>正常大小</translation>
    </message>
    <message>
        <source>Panel %1</source>
        <translation>面板：%1</translation>
    </message>
    <message>
        <source>Palette</source>
        <translation>配色</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Heat map colours</source>
        <translation>热图颜色</translation>
    </message>
    <message>
        <source>Viridis</source>
        <translation>Viridis</translation>
    </message>
    <message>
        <source>Cividis</source>
        <translation>Cividis</translation>
    </message>
    <message>
        <source>Grey</source>
        <translation>灰度</translation>
    </message>
    <message>
        <source>Layouts</source>
        <translation>布局</translation>
    </message>
    <message>
        <source>Reset to the standard layout</source>
        <translation>恢复标准布局</translation>
    </message>
    <message>
        <source>Pictures only</source>
        <translation>仅图</translation>
    </message>
    <message>
        <source>Save this layout…</source>
        <translation>保存此布局…</translation>
    </message>
    <message>
        <source>Save this layout</source>
        <translation>保存此布局</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Forget %1</source>
        <translation>删除 %1</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>Search or run an &amp;action</source>
        <translation>搜索或执行操作(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Keys</source>
        <translation>按键(&amp;K)</translation>
    </message>
    <message>
        <source>A&amp;bout</source>
        <translation>关于(&amp;B)</translation>
    </message>
    <message>
        <source>Copied: %1</source>
        <translation>已复制：%1</translation>
    </message>
    <message>
        <source>Paste: %1</source>
        <translation>粘贴：%1</translation>
    </message>
    <message>
        <source>%1 results are pinned, which is the most; remove one first</source>
        <translation>已固定 %1 个结果，达到上限；请先移除一个</translation>
    </message>
    <message>
        <source>%1, %2 on %3</source>
        <translation>%1，%3 上的 %2</translation>
    </message>
    <message>
        <source>%1 is saved as %2</source>
        <translation>%1 已保存为 %2</translation>
    </message>
    <message>
        <source>About SynPerf Explorer</source>
        <translation>关于 SynPerf Explorer</translation>
    </message>
    <message>
        <source>SynPerf Explorer %1

Predicts how long GPU kernels take on a GPU that you need not own, and shows why.

%2</source>
        <translation>SynPerf Explorer %1

预测 GPU 内核在您不必拥有的 GPU 上需要多长时间，并说明原因。

%2</translation>
    </message>
    <message>
        <source>SynPerf sessions (*.%1);;All files (*)</source>
        <translation>SynPerf 会话 (*.%1);;所有文件 (*)</translation>
    </message>
    <message>
        <source>%1 was saved by a newer version (%2). What this version understands is open; saving asks for another name.</source>
        <translation>%1 由更新的版本 (%2) 保存。本版本能理解的部分已打开；保存时需另取名称。</translation>
    </message>
    <message>
        <source>Left out: %1</source>
        <translation>略去：%1</translation>
    </message>
    <message>
        <source>%1 holds things of a newer version that saving here would lose: choose another name</source>
        <translation>%1 含有更新版本的内容，在此保存会丢失：请另选名称</translation>
    </message>
    <message>
        <source>Save session</source>
        <translation>保存会话</translation>
    </message>
    <message>
        <source>Save the session?</source>
        <translation>保存会话？</translation>
    </message>
    <message>
        <source>The session has changes that are not saved.</source>
        <translation>会话有未保存的更改。</translation>
    </message>
    <message>
        <source>%1 is not a file</source>
        <translation>%1 不是文件</translation>
    </message>
    <message>
        <source>%1 from %2. &quot;Save this GPU among mine&quot; keeps it.</source>
        <translation>%1 来自 %2。用“把此 GPU 存为我的”保留它。</translation>
    </message>
    <message>
        <source>%1 from %2, read as a spec of %3:</source>
        <translation>%1 来自 %2，按 %3 的规格读取：</translation>
    </message>
    <message>
        <source>Restore the session?</source>
        <translation>恢复会话？</translation>
    </message>
    <message>
        <source>The program ended without saving. A session from %1 was kept. Restore it?</source>
        <translation>程序上次未保存就结束了。保留了 %1 的会话。是否恢复？</translation>
    </message>
    <message>
        <source>The command line is copied, but %1.</source>
        <translation>命令行已复制，但%1。</translation>
    </message>
    <message>
        <source>save GPU %1</source>
        <translation>保存 GPU %1</translation>
    </message>
    <message>
        <source>New &amp;kernel…</source>
        <translation>新建内核(&amp;K)…</translation>
    </message>
    <message>
        <source>Edit the &amp;kernel&apos;s file…</source>
        <translation>编辑内核文件(&amp;K)…</translation>
    </message>
    <message>
        <source>&amp;Analytical model only</source>
        <translation>仅解析模型(&amp;A)</translation>
    </message>
    <message>
        <source>Predict from the analysis alone, without learned models</source>
        <translation>只用分析预测，不用学习模型</translation>
    </message>
    <message>
        <source>%1, %2 on %3, analytical</source>
        <translation>%1，%2，在 %3 上，解析</translation>
    </message>
    <message>
        <source>%1 is built in and has no file. &quot;New kernel…&quot; starts one of your own.</source>
        <translation>%1 是内置的，没有文件。“新建内核…”可创建您自己的内核。</translation>
    </message>
    <message>
        <source>save kernel %1</source>
        <translation>保存内核 %1</translation>
    </message>
    <message>
        <source>The model %1 answers from now on; it is kept in %2.</source>
        <translation>从现在起由模型 %1 回答；它保存在 %2。</translation>
    </message>
    <message>
        <source>The model %1 answers until the program ends.</source>
        <translation>在程序结束前由模型 %1 回答。</translation>
    </message>
    <message>
        <source>Worst rows of the new model %1</source>
        <translation>新模型 %1 误差最大的行</translation>
    </message>
    <message>
        <source>Rows kept out of training, the largest error of the new model first</source>
        <translation>未参与训练的行，新模型误差最大的在前</translation>
    </message>
    <message>
        <source>&amp;Nearest measurements</source>
        <translation>最近的实测(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Workspace</source>
        <translation>工作区(&amp;W)</translation>
    </message>
    <message>
        <source>What can be opened (*.%1 *.json *.yaml *.yml *.py *.csv *.csv.gz *.model);;All files (*)</source>
        <translation>可打开的文件 (*.%1 *.json *.yaml *.yml *.py *.csv *.csv.gz *.model);;所有文件 (*)</translation>
    </message>
    <message>
        <source>%1 can not be predicted</source>
        <translation>%1 行无法预测</translation>
    </message>
    <message>
        <source>Error of %1 measured ones: mean %2 %, median %3 %</source>
        <translation>%1 行有实测：误差均值 %2 %，中位数 %3 %</translation>
    </message>
    <message>
        <source>Predicting %1</source>
        <translation>正在预测 %1</translation>
    </message>
    <message>
        <source>row %1 of %2</source>
        <translation>%2 的第 %1 行</translation>
    </message>
    <message>
        <source>Looking through the measured tables</source>
        <translation>正在查找实测表</translation>
    </message>
    <message>
        <source>Nearest measurements</source>
        <translation>最近的实测</translation>
    </message>
    <message>
        <source>Folder of tables…</source>
        <translation>实测表文件夹…</translation>
    </message>
    <message>
        <source>Distance: root of the mean squared difference of %1 features, each in its standard deviation</source>
        <translation>距离：%1 个特征之差（以各自标准差为单位）的均方根</translation>
    </message>
    <message>
        <source>The nearest of %1 that the model %2 answers for. %3</source>
        <translation>模型 %2 所负责的 %1 行中最近的。%3</translation>
    </message>
    <message>
        <source>Centres of the rows that the model %1 was trained on: means of their features, all that the model keeps of them. The measured rows are public tables that the model&apos;s card names; choose the folder where you have them. %2</source>
        <translation>模型 %1 训练数据的中心：特征的均值，模型只保留这些。实测数据是模型卡片所列的公开表；请选择存放它们的文件夹。%2</translation>
    </message>
    <message>
        <source>Folder of measured tables</source>
        <translation>实测表文件夹</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Serving</source>
        <translation>推理服务</translation>
    </message>
    <message>
        <source>&amp;Serving</source>
        <translation>推理服务(&amp;S)</translation>
    </message>
    <message>
        <source>%1 is open. Left out: %2</source>
        <translation>%1 已打开。略去：%2</translation>
    </message>
    <message>
        <source>Open a session, a GPU spec, a language model&apos;s config, a table or a model</source>
        <translation>打开会话、GPU 规格、语言模型配置、表格或模型</translation>
    </message>
    <message>
        <source>&amp;Compare</source>
        <translation>对比(&amp;C)</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>C&amp;ost</source>
        <translation>成本(&amp;O)</translation>
    </message>
    <message>
        <source>Ranked in %1 ms</source>
        <translation>排名用时 %1 ms</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>成本</translation>
    </message>
    <message>
        <source>The command line is copied, but: %1</source>
        <translation>命令行已复制，但：%1</translation>
    </message>
</context>
<context>
    <name>synperf::ui::MemoryView</name>
    <message>
        <source>%1 GB</source>
        <translation>%1 GB</translation>
    </message>
    <message>
        <source>%1: %2 (%3)</source>
        <translation>%1：%2（%3）</translation>
    </message>
    <message>
        <source>Memory of the fullest GPU</source>
        <translation>最满的 GPU 的显存</translation>
    </message>
    <message>
        <source>does not fit: %1 of %2</source>
        <translation>放不下：需 %1，可用 %2</translation>
    </message>
    <message>
        <source>%1 of %2; largest batch %3</source>
        <translation>%1 / %2；最大批量 %3</translation>
    </message>
    <message>
        <source>usable %1</source>
        <translation>可用 %1</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>GB</source>
        <translation>GB</translation>
    </message>
    <message>
        <source>How</source>
        <translation>算法</translation>
    </message>
    <message>
        <source>sum</source>
        <translation>合计</translation>
    </message>
    <message>
        <source>usable</source>
        <translation>可用</translation>
    </message>
</context>
<context>
    <name>synperf::ui::MessageBar</name>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Dismiss the message</source>
        <translation>关闭消息</translation>
    </message>
</context>
<context>
    <name>synperf::ui::ModelTrainer</name>
    <message>
        <source>Analysing the rows</source>
        <translation>正在分析各行</translation>
    </message>
    <message>
        <source>Leaving GPUs out: %1, epoch %2</source>
        <translation>留出 GPU：%1，第 %2 轮</translation>
    </message>
    <message>
        <source>Training: epoch %1 of %2</source>
        <translation>正在训练：第 %1 轮，共 %2 轮</translation>
    </message>
    <message>
        <source>Comparing both models</source>
        <translation>正在比较两个模型</translation>
    </message>
    <message>
        <source>Calibrating the bounds</source>
        <translation>正在校准区间</translation>
    </message>
</context>
<context>
    <name>synperf::ui::ModelsWorkspace</name>
    <message>
        <source>Models in use</source>
        <translation>在用的模型</translation>
    </message>
    <message>
        <source>Errors on GPUs left out of training</source>
        <translation>在未参与训练的 GPU 上的误差</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Train a model</source>
        <translation>训练模型</translation>
    </message>
    <message>
        <source>New model beside the one in use</source>
        <translation>新模型与在用模型对比</translation>
    </message>
    <message>
        <source>Cancelled: the models in use are as before</source>
        <translation>已取消：在用的模型不变</translation>
    </message>
    <message>
        <source>No model is in use: every prediction comes from the analysis alone.</source>
        <translation>没有在用的模型：所有预测仅来自分析。</translation>
    </message>
    <message>
        <source>Analysing the rows</source>
        <translation>正在分析各行</translation>
    </message>
    <message>
        <source>Learned from %1 rows</source>
        <translation>从 %1 行学习</translation>
    </message>
    <message>
        <source>%1 rows can not be used, the first: %2</source>
        <translation>%1 行无法使用，第一个：%2</translation>
    </message>
    <message>
        <source>%1 rows were set aside: timed eagerly, or measuring something else</source>
        <translation>%1 行被搁置：以 eager 方式计时，或测量的是其他内容</translation>
    </message>
</context>
<context>
    <name>synperf::ui::OperatorBars</name>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>%1 on %2: %3</source>
        <translation>%2 上的 %1：%3</translation>
    </message>
    <message>
        <source>operators, in milliseconds on one axis</source>
        <translation>各算子，毫秒，共用一轴</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>%1 (ms)</source>
        <translation>%1 (ms)</translation>
    </message>
</context>
<context>
    <name>synperf::ui::PanelDock</name>
    <message>
        <source>Float or dock %1</source>
        <translation>浮动或停靠 %1</translation>
    </message>
    <message>
        <source>Close %1</source>
        <translation>关闭 %1</translation>
    </message>
</context>
<context>
    <name>synperf::ui::ParamForm</name>
    <message>
        <source>%1 to %2</source>
        <translation>%1 到 %2</translation>
    </message>
    <message>
        <source>Empty or 0: chosen automatically.</source>
        <translation>空或 0：自动选择。</translation>
    </message>
    <message>
        <source>A list: 4096, 7, or value x count: 4096x1, 7x31.</source>
        <translation>列表：4096, 7，或“值x个数”：4096x1, 7x31。</translation>
    </message>
    <message>
        <source>chosen automatically</source>
        <translation>自动选择</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>0: there is nothing to do, only the launch is timed</source>
        <translation>0：没有可做的工作，只计启动时间</translation>
    </message>
</context>
<context>
    <name>synperf::ui::PartRow</name>
    <message>
        <source>%1%2, %3</source>
        <translation>%1%2，%3</translation>
    </message>
    <message>
        <source>%1 of the latency</source>
        <translation>延迟的 %1</translation>
    </message>
    <message>
        <source>It is taken off the other parts, which are the analysis alone.</source>
        <translation>它从其他各部分（仅为分析所得）中扣除。</translation>
    </message>
</context>
<context>
    <name>synperf::ui::PictureView</name>
    <message>
        <source>Open as table</source>
        <translation>以表格打开</translation>
    </message>
    <message>
        <source>Save as PNG, %1x...</source>
        <translation>保存为 PNG，%1x…</translation>
    </message>
    <message>
        <source>Save as SVG...</source>
        <translation>保存为 SVG…</translation>
    </message>
    <message>
        <source>Save numbers as CSV...</source>
        <translation>将数据保存为 CSV…</translation>
    </message>
</context>
<context>
    <name>synperf::ui::PipeBars</name>
    <message>
        <source>Pipes, %1</source>
        <translation>管线，%1</translation>
    </message>
    <message>
        <source>%1 %2 busy</source>
        <translation>%1 忙 %2</translation>
    </message>
    <message>
        <source>Pipe</source>
        <translation>管线</translation>
    </message>
    <message>
        <source>Busy share</source>
        <translation>忙碌比例</translation>
    </message>
</context>
<context>
    <name>synperf::ui::PipeMapView</name>
    <message>
        <source>Pipes by SM</source>
        <translation>各 SM 的流水线</translation>
    </message>
    <message>
        <source>busy share</source>
        <translation>忙碌占比</translation>
    </message>
    <message>
        <source>SM %1, %2</source>
        <translation>SM %1，%2</translation>
    </message>
    <message>
        <source>%1 busy at peak rate</source>
        <translation>以峰值速率忙碌 %1</translation>
    </message>
    <message>
        <source>mean of all SMs %1</source>
        <translation>所有 SM 平均 %1</translation>
    </message>
</context>
<context>
    <name>synperf::ui::PriceBookWindow</name>
    <message>
        <source>Price book</source>
        <translation>价格簿</translation>
    </message>
    <message>
        <source>Prices</source>
        <translation>价格</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>编辑…</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Show prices with this text</source>
        <translation>显示含此文字的价格</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Add…</source>
        <translation>添加…</translation>
    </message>
    <message>
        <source>Import a CSV…</source>
        <translation>导入 CSV…</translation>
    </message>
    <message>
        <source>Prices of your own can be removed; one of the shipped books is replaced by editing it</source>
        <translation>自己的价格可以移除；随附的价格通过编辑来替换</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>%1. Type over a number to make it yours; your own stand over the shipped ones.</source>
        <translation>%1。直接改写数字即成为您的价格；您的价格优先于随附的。</translation>
    </message>
    <message>
        <source>Import prices</source>
        <translation>导入价格</translation>
    </message>
    <message>
        <source>Tables of prices (*.csv *.json);;All files (*)</source>
        <translation>价格表 (*.csv *.json);;所有文件 (*)</translation>
    </message>
    <message>
        <source>in use, yours, stale</source>
        <translation>使用中, 您的, 过期</translation>
    </message>
</context>
<context>
    <name>synperf::ui::PriceEntryDialog</name>
    <message>
        <source>Edit a price</source>
        <translation>编辑价格</translation>
    </message>
    <message>
        <source>Add a price</source>
        <translation>添加价格</translation>
    </message>
    <message>
        <source>unknown; YYYY-MM-DD</source>
        <translation>未知；YYYY-MM-DD</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>per GPU-hour; bought: per GPU, with its share of the server</source>
        <translation>每 GPU 小时；购买：每个 GPU，含其服务器份额</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>Low</source>
        <translation>低</translation>
    </message>
    <message>
        <source>the median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>High</source>
        <translation>高</translation>
    </message>
    <message>
        <source>Currency</source>
        <translation>货币</translation>
    </message>
    <message>
        <source>USD for one unit</source>
        <translation>每单位折 USD</translation>
    </message>
    <message>
        <source>Rate of the currency; without it the price counts in its own currency alone</source>
        <translation>货币汇率；没有则价格只以其自身货币计</translation>
    </message>
    <message>
        <source>not stated</source>
        <translation>未说明</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>日期</translation>
    </message>
    <message>
        <source>Day of the price; empty: unknown, which counts as stale</source>
        <translation>价格日期；留空：未知，算作过期</translation>
    </message>
    <message>
        <source>Life</source>
        <translation>寿命</translation>
    </message>
    <message>
        <source>years</source>
        <translation>年</translation>
    </message>
    <message>
        <source>Over which the purchase is spread</source>
        <translation>购价分摊的年限</translation>
    </message>
    <message>
        <source>Utilisation</source>
        <translation>使用率</translation>
    </message>
    <message>
        <source>% of its life</source>
        <translation>% 寿命</translation>
    </message>
    <message>
        <source>Share of its life that the GPU works and is paid for by queries</source>
        <translation>GPU 工作并由查询付费的寿命比例</translation>
    </message>
    <message>
        <source>Power price</source>
        <translation>电价</translation>
    </message>
    <message>
        <source>a kWh</source>
        <translation>每 kWh</translation>
    </message>
    <message>
        <source>In the price&apos;s currency</source>
        <translation>以价格的货币计</translation>
    </message>
    <message>
        <source>0</source>
        <translation>0</translation>
    </message>
    <message>
        <source>PUE</source>
        <translation>PUE</translation>
    </message>
    <message>
        <source>Power of the site over power of its computers</source>
        <translation>机房功率与计算机功率之比</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>功率</translation>
    </message>
    <message>
        <source>W</source>
        <translation>W</translation>
    </message>
    <message>
        <source>Of the working GPU with its share of the server</source>
        <translation>工作中的 GPU 含其服务器份额</translation>
    </message>
    <message>
        <source>TDP</source>
        <translation>TDP</translation>
    </message>
    <message>
        <source>Median: a price above 0 is needed</source>
        <translation>中位数：需要大于 0 的价格</translation>
    </message>
    <message>
        <source>Date: &quot;%1&quot; is not a day like 2025-09-17</source>
        <translation>日期：“%1”不是像 2025-09-17 的日子</translation>
    </message>
    <message>
        <source>Date: %1 is after today</source>
        <translation>日期：%1 在今天之后</translation>
    </message>
    <message>
        <source>a GPU</source>
        <translation>每 GPU</translation>
    </message>
    <message>
        <source>a GPU-hour</source>
        <translation>每 GPU 小时</translation>
    </message>
    <message>
        <source>%1 an hour of use: %2 for the purchase over %3 hours, %4 for power</source>
        <translation>每使用小时 %1：购价 %2（分摊 %3 小时），电力 %4</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>synperf::ui::PriceImportDialog</name>
    <message>
        <source>Prices from %1</source>
        <translation>来自 %1 的价格</translation>
    </message>
    <message>
        <source>How the table was read, and what was corrected:</source>
        <translation>表格如何读取、更正了什么：</translation>
    </message>
    <message>
        <source>Corrections</source>
        <translation>更正</translation>
    </message>
    <message>
        <source>The table states no day. Prices are of</source>
        <translation>表格未说明日期。价格日期为</translation>
    </message>
    <message>
        <source>Day of the prices</source>
        <translation>价格日期</translation>
    </message>
    <message>
        <source>as of import, %1</source>
        <translation>按导入日 %1</translation>
    </message>
    <message>
        <source>Add to my prices</source>
        <translation>加入我的价格</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>放弃</translation>
    </message>
    <message>
        <source>prices of %1</source>
        <translation>%1 的价格</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a day like 2025-09-17</source>
        <translation>“%1”不是像 2025-09-17 的日子</translation>
    </message>
</context>
<context>
    <name>synperf::ui::PriceListModel</name>
    <message>
        <source>%1 price of %2</source>
        <translation>%2 的%1价格</translation>
    </message>
    <message>
        <source>no %1 price of %2</source>
        <translation>去掉 %2 的%1价格</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>in use</source>
        <translation>使用中</translation>
    </message>
    <message>
        <source>yours</source>
        <translation>您的</translation>
    </message>
    <message>
        <source>stale</source>
        <translation>过期</translation>
    </message>
    <message>
        <source>one offer alone: it is used with the range of other prices</source>
        <translation>单一报价：采用其他价格的范围</translation>
    </message>
    <message>
        <source>%1 offers</source>
        <translation>%1 个报价</translation>
    </message>
    <message>
        <source>per GPU bought; the rest of a purchase is edited with Edit</source>
        <translation>每个购买的 GPU；其余购买信息用“编辑”修改</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>Low</source>
        <translation>低</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>High</source>
        <translation>高</translation>
    </message>
    <message>
        <source>Currency</source>
        <translation>货币</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>日期</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>synperf::ui::PriceStore</name>
    <message>
        <source>%1 can not be written: %2</source>
        <translation>%1 无法写入：%2</translation>
    </message>
    <message>
        <source>%1 can not be removed: %2</source>
        <translation>%1 无法移除：%2</translation>
    </message>
    <message>
        <source>%1 holds other prices and stays as it is</source>
        <translation>%1 含有其他价格，保持原样</translation>
    </message>
</context>
<context>
    <name>synperf::ui::RooflineView</name>
    <message>
        <source>FLOP per DRAM byte</source>
        <translation>每 DRAM 字节 FLOP</translation>
    </message>
    <message>
        <source>%1: %2 TFLOP/s of %3, %4 FLOP per DRAM byte</source>
        <translation>%1：%2 / %3 TFLOP/s，每 DRAM 字节 %4 FLOP</translation>
    </message>
    <message>
        <source>This kernel</source>
        <translation>此内核</translation>
    </message>
    <message>
        <source>Roofline</source>
        <translation>屋顶线</translation>
    </message>
    <message>
        <source>no FLOP to compare</source>
        <translation>没有可比的 FLOP</translation>
    </message>
    <message>
        <source>peak %1</source>
        <translation>峰值 %1</translation>
    </message>
    <message>
        <source>DRAM %1 GB/s</source>
        <translation>DRAM %1 GB/s</translation>
    </message>
    <message>
        <source>L2</source>
        <translation>L2</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>FLOP per L2 byte</source>
        <translation>每 L2 字节 FLOP</translation>
    </message>
    <message>
        <source>Achieved (TFLOP/s)</source>
        <translation>达到 (TFLOP/s)</translation>
    </message>
    <message>
        <source>Peak (TFLOP/s)</source>
        <translation>峰值 (TFLOP/s)</translation>
    </message>
    <message>
        <source>DRAM (GB/s)</source>
        <translation>DRAM (GB/s)</translation>
    </message>
    <message>
        <source>L2 (GB/s)</source>
        <translation>L2 (GB/s)</translation>
    </message>
    <message>
        <source>TFLOP/s</source>
        <translation>TFLOP/s</translation>
    </message>
    <message>
        <source>%1 of the roof</source>
        <translation>屋顶的 %1</translation>
    </message>
    <message>
        <source>above the DRAM roof: L2 serves it</source>
        <translation>高于 DRAM 屋顶线：由 L2 供给</translation>
    </message>
</context>
<context>
    <name>synperf::ui::RowsWindow</name>
    <message>
        <source>Open in the Kernel workspace</source>
        <translation>在内核工作区中打开</translation>
    </message>
    <message>
        <source>Show rows with these words</source>
        <translation>只显示含这些词的行</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Sort by this column</source>
        <translation>按此列排序</translation>
    </message>
    <message>
        <source>%1 rows</source>
        <translation>%1 行</translation>
    </message>
    <message>
        <source>%1 of %2 rows</source>
        <translation>%2 行中的 %1 行</translation>
    </message>
</context>
<context>
    <name>synperf::ui::ScenarioPanel</name>
    <message>
        <source>PRESETS</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Choose a GPU</source>
        <translation>选择 GPU</translation>
    </message>
    <message>
        <source>edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Edit the GPU&apos;s spec</source>
        <translation>编辑 GPU 规格</translation>
    </message>
    <message>
        <source>Search a GPU</source>
        <translation>搜索 GPU</translation>
    </message>
    <message>
        <source>KERNEL</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>MEASURED</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>I measured</source>
        <translation>我测得</translation>
    </message>
    <message>
        <source>Measured latency in microseconds</source>
        <translation>实测延迟（微秒）</translation>
    </message>
    <message>
        <source>µs</source>
        <translation>µs</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>未测</translation>
    </message>
    <message>
        <source>preset %1</source>
        <translation>预设 %1</translation>
    </message>
    <message>
        <source>&quot;%1&quot; should be a time in µs above 0, such as 186.4</source>
        <translation>“%1”应为大于 0 的微秒数，例如 186.4</translation>
    </message>
    <message>
        <source>The prediction is the same.</source>
        <translation>预测与其相同。</translation>
    </message>
    <message>
        <source>The prediction is %1 % longer.</source>
        <translation>预测长 %1 %。</translation>
    </message>
    <message>
        <source>The prediction is %1 % shorter.</source>
        <translation>预测短 %1 %。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>synperf::ui::ScheduleView</name>
    <message>
        <source>Schedule of a step</source>
        <translation>一步的调度</translation>
    </message>
    <message>
        <source>%1 in all</source>
        <translation>共 %1</translation>
    </message>
    <message>
        <source>%1 of communication hidden</source>
        <translation>掩盖通信 %1</translation>
    </message>
    <message>
        <source>bubbles %1</source>
        <translation>气泡 %1</translation>
    </message>
    <message>
        <source>computation</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>communication</source>
        <translation>通信</translation>
    </message>
    <message>
        <source>host</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>layer %1</source>
        <translation>第 %1 层</translation>
    </message>
    <message>
        <source>stage %1</source>
        <translation>第 %1 级</translation>
    </message>
    <message>
        <source>micro-batch %1</source>
        <translation>微批 %1</translation>
    </message>
    <message>
        <source>%1 from %2</source>
        <translation>%1，始于 %2</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>%1 µs</source>
        <translation>%1 µs</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Stream</source>
        <translation>流</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>级</translation>
    </message>
    <message>
        <source>Micro-batch</source>
        <translation>微批</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Start (µs)</source>
        <translation>开始 (µs)</translation>
    </message>
    <message>
        <source>End (µs)</source>
        <translation>结束 (µs)</translation>
    </message>
</context>
<context>
    <name>synperf::ui::ServingCard</name>
    <message>
        <source>%1 to %2</source>
        <translation>%1 至 %2</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Predicted latency and throughput</source>
        <translation>预测的延迟与吞吐</translation>
    </message>
    <message>
        <source>Time to first token</source>
        <translation>首词元延迟 (TTFT)</translation>
    </message>
    <message>
        <source>Time per output token</source>
        <translation>每词元延迟 (TPOT)</translation>
    </message>
    <message>
        <source>End to end</source>
        <translation>端到端</translation>
    </message>
    <message>
        <source>Tokens/s per GPU</source>
        <translation>每 GPU 词元/秒</translation>
    </message>
    <message>
        <source>Tokens/s per user</source>
        <translation>每用户词元/秒</translation>
    </message>
    <message>
        <source>Predicting</source>
        <translation>正在预测</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>50 %: %1, 90 %: %2, 99 % of the requests: %3</source>
        <translation>50 %：%1，90 %：%2，99 % 的请求：%3</translation>
    </message>
    <message>
        <source>TTFT, as in vLLM&apos;s benchmark: from the arrival of a request to its first token, waiting included; mean over the requests.</source>
        <translation>TTFT，与 vLLM 基准测试相同：从请求到达到第一个词元，含等待；对请求取平均。</translation>
    </message>
    <message>
        <source>TPOT, as in vLLM&apos;s benchmark: (end - first token) / (output tokens - 1), mean over the requests: %1.
By another definition, the median step that only decodes: %2.</source>
        <translation>TPOT，与 vLLM 基准测试相同：（结束 - 首词元）/（输出词元数 - 1），对请求取平均：%1。
另一种定义，只解码的步的中位数：%2。</translation>
    </message>
    <message>
        <source>From the first arrival until the last request is done: prefill %1, then decode steps of %2 (median).</source>
        <translation>从第一个请求到达到最后一个请求完成：预填充 %1，然后是每步 %2（中位数）的解码。</translation>
    </message>
    <message>
        <source>Output tokens of all requests over the whole run, prefill included, and over the GPUs: %1 tokens/s on %2 GPUs.</source>
        <translation>全部请求的输出词元除以整个运行时间（含预填充）与 GPU 数：%2 个 GPU 上共 %1 词元/秒。</translation>
    </message>
    <message>
        <source>What one user sees while tokens come: 1 / TPOT.</source>
        <translation>词元产生期间一个用户看到的速度：1 / TPOT。</translation>
    </message>
    <message>
        <source>Does not fit: %1 of %2 on each GPU</source>
        <translation>放不下：每个 GPU 需 %1，可用 %2</translation>
    </message>
    <message>
        <source>Analytical model only: intervals are the framework&apos;s alone</source>
        <translation>仅分析模型：区间只来自框架</translation>
    </message>
    <message>
        <source>90 % intervals; of the kernels&apos; time %1 in the measured range, %2 near it</source>
        <translation>90 % 区间；内核时间的 %1 在测量范围内，%2 在其附近</translation>
    </message>
    <message>
        <source>%1 extrapolating: %2</source>
        <translation>%1 为外推：%2</translation>
    </message>
    <message>
        <source>%1 analytical</source>
        <translation>%1 为分析</translation>
    </message>
    <message>
        <source>stand-ins: %1</source>
        <translation>代替：%1</translation>
    </message>
    <message>
        <source>host time of %1 fitted</source>
        <translation>%1 的主机时间已拟合</translation>
    </message>
    <message>
        <source>host time of %1 not fitted to measurements</source>
        <translation>%1 的主机时间未按测量拟合</translation>
    </message>
    <message>
        <source>Intervals add up the kernels&apos; as if all were off in the same direction, and widen them by the framework&apos;s uncertainty.
%1</source>
        <translation>区间按所有内核同向偏离相加，再按框架的不确定度放宽。
%1</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Analytical model: no learned model for these kernels, intervals are the framework&apos;s alone</source>
        <translation>分析模型：这些内核没有学习模型，区间只来自框架</translation>
    </message>
</context>
<context>
    <name>synperf::ui::ServingForm</name>
    <message>
        <source>MODEL</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Language model</source>
        <translation>语言模型</translation>
    </message>
    <message>
        <source>Open a config.json…</source>
        <translation>打开 config.json…</translation>
    </message>
    <message>
        <source>Search a model</source>
        <translation>搜索模型</translation>
    </message>
    <message>
        <source>model %1</source>
        <translation>模型 %1</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Edit the GPU&apos;s spec</source>
        <translation>编辑 GPU 规格</translation>
    </message>
    <message>
        <source>Search a GPU</source>
        <translation>搜索 GPU</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>PARALLELISM</source>
        <translation>并行</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPU 数</translation>
    </message>
    <message>
        <source>In all. Empty: as many as one copy of the model needs, TP x PP. A multiple of that: as many copies, which share the requests</source>
        <translation>总数。留空：一份模型所需，TP x PP。其倍数：多份模型分担请求</translation>
    </message>
    <message>
        <source>TP</source>
        <translation>TP</translation>
    </message>
    <message>
        <source>Tensor-parallel ranks: heads and widths are divided</source>
        <translation>张量并行数：划分头与宽度</translation>
    </message>
    <message>
        <source>PP</source>
        <translation>PP</translation>
    </message>
    <message>
        <source>Pipeline stages: layers are divided</source>
        <translation>流水线级数：划分层</translation>
    </message>
    <message>
        <source>EP</source>
        <translation>EP</translation>
    </message>
    <message>
        <source>Expert-parallel ranks among the tensor-parallel ones: each holds its share of the experts</source>
        <translation>张量并行中的专家并行数：各持有一部分专家</translation>
    </message>
    <message>
        <source>FORMATS AND FRAMEWORK</source>
        <translation>格式与框架</translation>
    </message>
    <message>
        <source>the model&apos;s</source>
        <translation>随模型</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Format of the weights of attention, MLP and experts, and of the products with them</source>
        <translation>注意力、MLP 与专家权重及其乘积的格式</translation>
    </message>
    <message>
        <source>Activations</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>Format of everything between the products: norms, embedding, LM head</source>
        <translation>乘积之间的一切的格式：归一化、嵌入、LM 头</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV 缓存</translation>
    </message>
    <message>
        <source>Format of cached keys and values</source>
        <translation>缓存的键与值的格式</translation>
    </message>
    <message>
        <source>Framework</source>
        <translation>框架</translation>
    </message>
    <message>
        <source>Whose kernels run, its host time and the memory it keeps</source>
        <translation>运行谁的内核、其主机时间与占用的显存</translation>
    </message>
    <message>
        <source>Memory share</source>
        <translation>显存比例</translation>
    </message>
    <message>
        <source>Share of the GPU&apos;s memory that may be used. Empty: the framework&apos;s</source>
        <translation>可用的 GPU 显存比例。留空：框架的</translation>
    </message>
    <message>
        <source>Overlap</source>
        <translation>重叠</translation>
    </message>
    <message>
        <source>Share of the communication that computation hides. Empty: the framework&apos;s</source>
        <translation>被计算掩盖的通信比例。留空：框架的</translation>
    </message>
    <message>
        <source>REQUESTS</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>Requests</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>Equal requests at a time</source>
        <translation>同时的相同请求数</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Prompt tokens of each request</source>
        <translation>每个请求的提示词元</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Tokens to generate for each request</source>
        <translation>每个请求要生成的词元</translation>
    </message>
    <message>
        <source>Equal requests instead</source>
        <translation>改用相同请求</translation>
    </message>
    <message>
        <source>Open a table of requests…</source>
        <translation>打开请求表…</translation>
    </message>
    <message>
        <source>Batching</source>
        <translation>批处理</translation>
    </message>
    <message>
        <source>Static: all requests start together. Continuous: they join steps as they arrive and as memory allows. Automatic: continuous where a table has arrivals</source>
        <translation>静态：所有请求同时开始。连续：随到达与显存加入各步。自动：表中有到达时间时为连续</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>static</source>
        <translation>静态</translation>
    </message>
    <message>
        <source>continuous</source>
        <translation>连续</translation>
    </message>
    <message>
        <source>Token budget</source>
        <translation>词元预算</translation>
    </message>
    <message>
        <source>Most tokens of a step with continuous batching. Empty: the framework&apos;s</source>
        <translation>连续批处理时每步最多的词元。留空：框架的</translation>
    </message>
    <message>
        <source>equal requests</source>
        <translation>相同请求</translation>
    </message>
    <message>
        <source>Open a model&apos;s config.json</source>
        <translation>打开模型的 config.json</translation>
    </message>
    <message>
        <source>Model configurations (*.json);;All files (*)</source>
        <translation>模型配置 (*.json);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Open a table of requests</source>
        <translation>打开请求表</translation>
    </message>
    <message>
        <source>Tables (*.csv *.csv.gz);;All files (*)</source>
        <translation>表格 (*.csv *.csv.gz);;所有文件 (*)</translation>
    </message>
    <message>
        <source>requests %1</source>
        <translation>请求 %1</translation>
    </message>
    <message>
        <source>Reading %1</source>
        <translation>正在读取 %1</translation>
    </message>
    <message>
        <source>&quot;%1&quot; should be a whole number</source>
        <translation>“%1”应为整数</translation>
    </message>
    <message>
        <source>&quot;%1&quot; should be a number</source>
        <translation>“%1”应为数字</translation>
    </message>
    <message>
        <source>%1 is out of range, allowed is %2 to %3</source>
        <translation>%1 超出范围，允许 %2 至 %3</translation>
    </message>
    <message>
        <source>%1 automatic</source>
        <translation>%1 自动</translation>
    </message>
    <message>
        <source>%1 = %2</source>
        <translation>%1 = %2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Choose a model</source>
        <translation>选择模型</translation>
    </message>
    <message>
        <source>%1 (opened)</source>
        <translation>%1（已打开）</translation>
    </message>
    <message>
        <source>assumed: %1</source>
        <translation>假定：%1</translation>
    </message>
    <message>
        <source>not understood: %1</source>
        <translation>不理解：%1</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>另有 %1 项</translation>
    </message>
    <message>
        <source>%1 assumed: %2</source>
        <translation>%1 项假定：%2</translation>
    </message>
    <message>
        <source>%1
%2 requests, on average %3 tokens in and %4 out</source>
        <translation>%1
%2 个请求，平均输入 %3、输出 %4 词元</translation>
    </message>
</context>
<context>
    <name>synperf::ui::ServingSweepPanel</name>
    <message>
        <source>What is swept</source>
        <translation>扫描什么</translation>
    </message>
    <message>
        <source>What is swept beside it</source>
        <translation>同时扫描什么</translation>
    </message>
    <message>
        <source>alone</source>
        <translation>单独</translation>
    </message>
    <message>
        <source>Values to sweep</source>
        <translation>扫描的值</translation>
    </message>
    <message>
        <source>Values and ranges: 1,2,4..64 doubles from 4 to 64, 4..64+4 adds 4</source>
        <translation>值与范围：1,2,4..64 从 4 倍增到 64，4..64+4 每次加 4</translation>
    </message>
    <message>
        <source>against %1</source>
        <translation>相对 %1</translation>
    </message>
    <message>
        <source>Latency to plot</source>
        <translation>绘制的延迟</translation>
    </message>
    <message>
        <source>%1 is swept twice</source>
        <translation>%1 被扫描两次</translation>
    </message>
</context>
<context>
    <name>synperf::ui::ServingSweepView</name>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>%1 µs</source>
        <translation>%1 µs</translation>
    </message>
    <message>
        <source>TTFT</source>
        <translation>TTFT</translation>
    </message>
    <message>
        <source>TPOT</source>
        <translation>TPOT</translation>
    </message>
    <message>
        <source>end to end</source>
        <translation>端到端</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批量</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>TP</source>
        <translation>TP</translation>
    </message>
    <message>
        <source>PP</source>
        <translation>PP</translation>
    </message>
    <message>
        <source>EP</source>
        <translation>EP</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPU 数</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 does not fit: %2</source>
        <translation>%1 放不下：%2</translation>
    </message>
    <message>
        <source>%1: %2 %3, %4 tokens/s per GPU, %5 for a user</source>
        <translation>%1：%2 %3，每 GPU %4 词元/秒，每用户 %5</translation>
    </message>
    <message>
        <source>Throughput of a GPU against %1</source>
        <translation>每 GPU 吞吐与 %1</translation>
    </message>
    <message>
        <source>%1 plans</source>
        <translation>%1 个方案</translation>
    </message>
    <message>
        <source>%1 plans, %2 do not fit</source>
        <translation>%1 个方案，%2 个放不下</translation>
    </message>
    <message>
        <source>90 % interval %1. Click opens this plan.</source>
        <translation>90 % 区间 %1。点击打开此方案。</translation>
    </message>
    <message>
        <source>output tokens/s per GPU</source>
        <translation>每 GPU 输出词元/秒</translation>
    </message>
    <message>
        <source>TTFT (ms)</source>
        <translation>TTFT (ms)</translation>
    </message>
    <message>
        <source>Lower (ms)</source>
        <translation>下限 (ms)</translation>
    </message>
    <message>
        <source>Upper (ms)</source>
        <translation>上限 (ms)</translation>
    </message>
    <message>
        <source>TPOT (ms)</source>
        <translation>TPOT (ms)</translation>
    </message>
    <message>
        <source>End to end (ms)</source>
        <translation>端到端 (ms)</translation>
    </message>
    <message>
        <source>Tokens/s per GPU</source>
        <translation>每 GPU 词元/秒</translation>
    </message>
    <message>
        <source>Tokens/s per user</source>
        <translation>每用户词元/秒</translation>
    </message>
    <message>
        <source>Needed (GB)</source>
        <translation>所需 (GB)</translation>
    </message>
    <message>
        <source>Does not fit because</source>
        <translation>放不下的原因</translation>
    </message>
    <message>
        <source>None of these plans fits:
%1</source>
        <translation>这些方案都放不下：
%1</translation>
    </message>
    <message>
        <source>Computing the sweep...</source>
        <translation>正在计算扫描…</translation>
    </message>
</context>
<context>
    <name>synperf::ui::ServingWorkspace</name>
    <message>
        <source>Kernels of a step</source>
        <translation>一步的内核</translation>
    </message>
    <message>
        <source>Serving</source>
        <translation>推理服务</translation>
    </message>
    <message>
        <source>What is served</source>
        <translation>服务对象</translation>
    </message>
    <message>
        <source>Cancelled: the numbers are those of the last finished prediction</source>
        <translation>已取消：数字来自上一次完成的预测</translation>
    </message>
    <message>
        <source>Bars</source>
        <translation>条形</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Open in the Kernel workspace</source>
        <translation>在“内核”工作区打开</translation>
    </message>
    <message>
        <source>Use the largest batch that fits, %1</source>
        <translation>使用放得下的最大批量 %1</translation>
    </message>
    <message>
        <source>step %1, with prompts</source>
        <translation>第 %1 步，含提示</translation>
    </message>
    <message>
        <source>step %1, decode</source>
        <translation>第 %1 步，解码</translation>
    </message>
    <message>
        <source>kernel %1 of %2</source>
        <translation>%2 的内核 %1</translation>
    </message>
    <message>
        <source>plan of the sweep</source>
        <translation>扫描的方案</translation>
    </message>
    <message>
        <source>largest batch %1</source>
        <translation>最大批量 %1</translation>
    </message>
    <message>
        <source>Choose a model</source>
        <translation>选择模型</translation>
    </message>
    <message>
        <source>Open a config.json…</source>
        <translation>打开 config.json…</translation>
    </message>
    <message>
        <source>Open a table of requests…</source>
        <translation>打开请求表…</translation>
    </message>
    <message>
        <source>Use the largest batch that fits</source>
        <translation>使用放得下的最大批量</translation>
    </message>
    <message>
        <source>Kernels of the step as a table</source>
        <translation>以表格显示该步的内核</translation>
    </message>
    <message>
        <source>Cancel the prediction</source>
        <translation>取消预测</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>调度</translation>
    </message>
    <message>
        <source>micro-batches </source>
        <translation>微批 </translation>
    </message>
    <message>
        <source>Micro-batches</source>
        <translation>微批</translation>
    </message>
    <message>
        <source>Parts of the step&apos;s requests that follow each other through the pipeline stages</source>
        <translation>该步请求的各部分，依次通过流水线各级</translation>
    </message>
    <message>
        <source>The kernels of this step: %1</source>
        <translation>该步的内核：%1</translation>
    </message>
    <message>
        <source>Nothing to sweep until the plan can be served</source>
        <translation>方案能够服务之前没有可扫描的内容</translation>
    </message>
</context>
<context>
    <name>synperf::ui::StepView</name>
    <message>
        <source>Kernels of a step</source>
        <translation>一步的内核</translation>
    </message>
    <message>
        <source>Kernels of %1</source>
        <translation>%1的内核</translation>
    </message>
    <message>
        <source>%1 in all</source>
        <translation>共 %1</translation>
    </message>
    <message>
        <source>%1: %2 calls of %3</source>
        <translation>%1：%2 次，每次 %3</translation>
    </message>
    <message>
        <source>%1 calls of %2 = %3</source>
        <translation>%1 次，每次 %2 = %3</translation>
    </message>
    <message>
        <source>90 % interval %1</source>
        <translation>90 % 区间 %1</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>Double click or Enter opens it in the Kernel workspace</source>
        <translation>双击或回车在“内核”工作区打开</translation>
    </message>
</context>
<context>
    <name>synperf::ui::SweepView</name>
    <message>
        <source>Parameter to sweep</source>
        <translation>要扫描的参数</translation>
    </message>
    <message>
        <source>%1 = %2: %3. Click to set it.</source>
        <translation>%1 = %2：%3。单击即设定。</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>扫描</translation>
    </message>
    <message>
        <source>Latency against %1</source>
        <translation>延迟随 %1</translation>
    </message>
    <message>
        <source>%1 of %2 skipped: %3</source>
        <translation>%2 个中略过 %1 个：%3</translation>
    </message>
    <message>
        <source>value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Latency (µs)</source>
        <translation>延迟 (µs)</translation>
    </message>
    <message>
        <source>Ceiling (µs)</source>
        <translation>上限 (µs)</translation>
    </message>
    <message>
        <source>Bound</source>
        <translation>受限于</translation>
    </message>
    <message>
        <source>Skipped because</source>
        <translation>略过原因</translation>
    </message>
    <message>
        <source>Computing the sweep...</source>
        <translation>正在计算扫描…</translation>
    </message>
    <message>
        <source>latency (µs)</source>
        <translation>延迟 (µs)</translation>
    </message>
</context>
<context>
    <name>synperf::ui::TableWindow</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Save as CSV...</source>
        <translation>保存为 CSV…</translation>
    </message>
    <message>
        <source>%1 rows</source>
        <translation>%1 行</translation>
    </message>
    <message>
        <source>Copied the first %1 of %2 rows; &quot;Save as CSV&quot; writes them all</source>
        <translation>已复制 %2 行中的前 %1 行；“保存为 CSV”可写出全部</translation>
    </message>
    <message>
        <source>Copied %1 rows</source>
        <translation>已复制 %1 行</translation>
    </message>
</context>
<context>
    <name>synperf::ui::TimeMapView</name>
    <message>
        <source>%1 pipe over time</source>
        <translation>%1 流水线随时间</translation>
    </message>
    <message>
        <source>SM × time</source>
        <translation>SM × 时间</translation>
    </message>
    <message>
        <source>SM %1 at %2</source>
        <translation>SM %1，%2 时</translation>
    </message>
    <message>
        <source>%1: %2 of peak</source>
        <translation>%1：峰值的 %2</translation>
    </message>
</context>
<context>
    <name>synperf::ui::TimelineView</name>
    <message>
        <source>%1, simulated</source>
        <translation>%1，模拟</translation>
    </message>
    <message>
        <source>SM %1</source>
        <translation>SM %1</translation>
    </message>
    <message>
        <source>Δ %1</source>
        <translation>Δ %1</translation>
    </message>
    <message>
        <source>, SM %1, wave %2</source>
        <translation>，SM %1，第 %2 波</translation>
    </message>
    <message>
        <source>%1 to %2 %3</source>
        <translation>%1 到 %2 %3</translation>
    </message>
    <message>
        <source>%1 long</source>
        <translation>时长 %1</translation>
    </message>
    <message>
        <source>, slot %1 of %2</source>
        <translation>，槽位 %1 / %2</translation>
    </message>
    <message>
        <source>Launch overhead</source>
        <translation>启动开销</translation>
    </message>
    <message>
        <source>%1 before the first CTA starts</source>
        <translation>第一个 CTA 开始前 %1</translation>
    </message>
    <message>
        <source>SM %1 has no work left</source>
        <translation>SM %1 已无工作</translation>
    </message>
    <message>
        <source>idle for the last %1</source>
        <translation>最后 %1 空闲</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>缩小</translation>
    </message>
    <message>
        <source>Earlier</source>
        <translation>更早</translation>
    </message>
    <message>
        <source>Later</source>
        <translation>更晚</translation>
    </message>
    <message>
        <source>Fit the selection</source>
        <translation>适应所选</translation>
    </message>
    <message>
        <source>Whole kernel</source>
        <translation>整个内核</translation>
    </message>
    <message>
        <source>Previous CTA of the SM</source>
        <translation>该 SM 的上一个 CTA</translation>
    </message>
    <message>
        <source>Next CTA of the SM</source>
        <translation>该 SM 的下一个 CTA</translation>
    </message>
    <message>
        <source>Previous wave</source>
        <translation>上一波</translation>
    </message>
    <message>
        <source>Next wave</source>
        <translation>下一波</translation>
    </message>
    <message>
        <source>Clear selection and range</source>
        <translation>清除选择和范围</translation>
    </message>
    <message>
        <source>Microseconds or cycles</source>
        <translation>微秒或周期</translation>
    </message>
    <message>
        <source>Save as Chrome trace...</source>
        <translation>保存为 Chrome trace…</translation>
    </message>
    <message>
        <source>CTA timeline</source>
        <translation>CTA 时间线</translation>
    </message>
    <message>
        <source>launch %1</source>
        <translation>启动 %1</translation>
    </message>
</context>
<context>
    <name>synperf::ui::TornadoView</name>
    <message>
        <source>What the latency is sensitive to</source>
        <translation>延迟对什么敏感</translation>
    </message>
    <message>
        <source>%1: %2 first, %3 with 20 % less and %4 with 20 % more</source>
        <translation>%1：首先是%2，减少 20 % 时 %3，增加 20 % 时 %4</translation>
    </message>
    <message>
        <source>20 % more</source>
        <translation>多 20 %</translation>
    </message>
    <message>
        <source>20 % less</source>
        <translation>少 20 %</translation>
    </message>
    <message>
        <source>Field</source>
        <translation>字段</translation>
    </message>
    <message>
        <source>20 % less (µs)</source>
        <translation>少 20 % (µs)</translation>
    </message>
    <message>
        <source>Change (%)</source>
        <translation>变化 (%)</translation>
    </message>
    <message>
        <source>20 % more (µs)</source>
        <translation>多 20 % (µs)</translation>
    </message>
    <message>
        <source>20 % less: %1, %2</source>
        <translation>少 20 %：%1，%2</translation>
    </message>
    <message>
        <source>20 % more: %1, %2</source>
        <translation>多 20 %：%1，%2</translation>
    </message>
    <message>
        <source>20 % less: no GPU can have that</source>
        <translation>少 20 %：没有 GPU 能做到</translation>
    </message>
    <message>
        <source>20 % more: no GPU can have that</source>
        <translation>多 20 %：没有 GPU 能做到</translation>
    </message>
</context>
<context>
    <name>synperf::ui::TrainingCurves</name>
    <message>
        <source>loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>held-back error (%)</source>
        <translation>留出误差 (%)</translation>
    </message>
    <message>
        <source>epoch</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>network %1: epoch %2, held-back error %3 %</source>
        <translation>网络 %1：第 %2 轮，留出误差 %3 %</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>Training loss</source>
        <translation>训练损失</translation>
    </message>
    <message>
        <source>Held-back loss</source>
        <translation>留出损失</translation>
    </message>
    <message>
        <source>Held-back error (%)</source>
        <translation>留出误差 (%)</translation>
    </message>
    <message>
        <source>The curves of a training: dashed the loss on the rows it learns from, solid on those held back, one colour a network</source>
        <translation>训练曲线：虚线为学习所用行的损失，实线为留出行的损失，每个网络一种颜色</translation>
    </message>
</context>
<context>
    <name>synperf::ui::TrainingData</name>
    <message>
        <source>Measured tables</source>
        <translation>实测表</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>行数</translation>
    </message>
    <message>
        <source>For models</source>
        <translation>用于模型</translation>
    </message>
    <message>
        <source>Rows that can not be used</source>
        <translation>无法使用的行</translation>
    </message>
    <message>
        <source>%1; the first: %2</source>
        <translation>%1；第一个：%2</translation>
    </message>
</context>
<context>
    <name>synperf::ui::TrainingPanel</name>
    <message>
        <source>about %1 s left</source>
        <translation>还需约 %1 秒</translation>
    </message>
    <message>
        <source>about %1 min left</source>
        <translation>还需约 %1 分钟</translation>
    </message>
    <message>
        <source>Measured tables</source>
        <translation>实测表</translation>
    </message>
    <message>
        <source>Tables of measured kernels (CSV, plain or gzip) with a column latency_us: add them, or drop them here.</source>
        <translation>含 latency_us 列的实测内核表（CSV，可为 gzip）：添加或拖放到这里。</translation>
    </message>
    <message>
        <source>Add tables…</source>
        <translation>添加表…</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>轮数</translation>
    </message>
    <message>
        <source>Passes over the rows.</source>
        <translation>遍历数据的次数。</translation>
    </message>
    <message>
        <source>Networks</source>
        <translation>网络数</translation>
    </message>
    <message>
        <source>Networks of the ensemble; their mean answers.</source>
        <translation>集成中的网络数；取其平均值。</translation>
    </message>
    <message>
        <source>Imagined GPUs</source>
        <translation>虚拟 GPU</translation>
    </message>
    <message>
        <source>Copies of every row on GPUs that do not exist, around the real one: a model learns to follow a GPU&apos;s numbers instead of its name.</source>
        <translation>每行在真实 GPU 附近的虚拟 GPU 上的副本：模型学会依据 GPU 的数值而不是名称。</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>随机种子</translation>
    </message>
    <message>
        <source>The same seed and rows give the same model.</source>
        <translation>相同的种子和数据得到相同的模型。</translation>
    </message>
    <message>
        <source>Leave GPUs out (several times as long)</source>
        <translation>留出 GPU（耗时数倍）</translation>
    </message>
    <message>
        <source>State of the training</source>
        <translation>训练状态</translation>
    </message>
    <message>
        <source>Model to train</source>
        <translation>要训练的模型</translation>
    </message>
    <message>
        <source>Progress of the training</source>
        <translation>训练进度</translation>
    </message>
    <message>
        <source>Trains brief models without each GPU to learn how far to trust the new one on GPUs that it does not know</source>
        <translation>逐个排除 GPU 训练简短模型，以了解新模型在未知 GPU 上的可信程度</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Add measured tables</source>
        <translation>添加实测表</translation>
    </message>
    <message>
        <source>Tables (*.csv *.csv.gz);;All files (*)</source>
        <translation>表 (*.csv *.csv.gz);;所有文件 (*)</translation>
    </message>
    <message>
        <source>%1, %2 rows</source>
        <translation>%1，%2 行</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
</context>
<context>
    <name>synperf::ui::TransportBar</name>
    <message>
        <source>Step back one CTA</source>
        <translation>后退一个 CTA</translation>
    </message>
    <message>
        <source>Play or pause</source>
        <translation>播放或暂停</translation>
    </message>
    <message>
        <source>Step to the next CTA</source>
        <translation>前进到下一个 CTA</translation>
    </message>
    <message>
        <source>Playhead</source>
        <translation>播放头</translation>
    </message>
    <message>
        <source>%1x</source>
        <translation>%1x</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>Speed; at 1x the whole kernel plays in %1 s</source>
        <translation>速度；1x 时整个内核播放 %1 秒</translation>
    </message>
    <message>
        <source>Time in microseconds or cycles (U)</source>
        <translation>时间用微秒或周期 (U)</translation>
    </message>
    <message>
        <source>%1 of %2 %3</source>
        <translation>%1 / %2 %3</translation>
    </message>
</context>
<context>
    <name>synperf::ui::WhyPanel</name>
    <message>
        <source>What would change it</source>
        <translation>什么会改变它</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Why %1</source>
        <translation>为什么是 %1</translation>
    </message>
    <message>
        <source>Sum</source>
        <translation>合计</translation>
    </message>
    <message>
        <source>The parts add up to the latency</source>
        <translation>各部分之和等于延迟</translation>
    </message>
    <message>
        <source>try it</source>
        <translation>试试</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>faster</source>
        <translation>更快</translation>
    </message>
    <message>
        <source>slower</source>
        <translation>更慢</translation>
    </message>
    <message>
        <source>Make this change; undo takes it back</source>
        <translation>做此更改；可撤销</translation>
    </message>
    <message>
        <source>Try %1</source>
        <translation>尝试 %1</translation>
    </message>
</context>
</TS>
